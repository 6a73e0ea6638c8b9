// Whoever gets the lease does the work; it frees itself should its holder die.
export default async (ctx) => {
  const slot = ctx.toolCall?.params.slot ?? "scheduled";
  const { won } = await ctx.kv.putIfAbsent(`lease:${slot}`, ctx.source.invocationId, { ttlSeconds: 60 });
  return { won };
};
