// Only addresses that the manifest allows can be called: another one is
// FETCH_FORBIDDEN, whatever the request says.
export default async (ctx) => {
  const { to = 'https://api.example.com/messages', text } = ctx.request.body ?? {};
  const response = await ctx.fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': ctx.request.headers['idempotency-key'] ?? ctx.source.invocationId },
    body: JSON.stringify({ text }),
  });
  return { status: response.ok ? 202 : 502, body: { passed: response.ok, answered: response.status } };
};
