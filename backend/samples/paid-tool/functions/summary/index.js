// No money in here: price in AGENT.md has the platform see to it.
export default async (ctx) => {
  const text = ctx.request.body?.text;
  if (typeof text !== 'string') return { status: 400, body: { error: 'text is missing' } };
  return { summary: text.split(/(?<=[.!?])\s/)[0] };
};
