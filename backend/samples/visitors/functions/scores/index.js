// The scores are the agent's, for any of its functions to read: scope "agent".
// Keys are in order, so a score is written so that the best comes first.
const rank = (points) => String(1_000_000 - points).padStart(7, '0');

export default async (ctx) => {
  const all = ctx.kv.at('agent');
  if (ctx.request.method === 'POST') {
    if (!ctx.auth.authenticated) return { status: 401, body: { error: 'sign in first' } };
    const points = ctx.request.body?.points;
    if (!Number.isInteger(points) || points < 0 || points > 1_000_000) {
      return { status: 400, body: { error: 'points is a whole number from 0 to 1000000' } };
    }
    await all.put(`score:${rank(points)}:${ctx.auth.userId}`, { points, by: ctx.auth.userId });
    return { status: 201, body: { points } };
  }
  const { items } = await all.list('score:', { values: true, limit: 10 });
  return { scores: items.map((item) => item.value) };
};
