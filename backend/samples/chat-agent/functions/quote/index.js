// The model calls this by its name in AGENT.md; its result is what the model
// reads. From the tenth hour on it is cheaper.
export default async function handler(ctx) {
  const { hours } = ctx.toolCall.params;
  const total = Math.min(hours, 9) * 80 + Math.max(0, hours - 9) * 60;
  return { hours, total, currency: 'EUR' };
}
