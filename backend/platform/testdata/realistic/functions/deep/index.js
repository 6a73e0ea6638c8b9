export default async (ctx) => {
  const { levels } = ctx.toolCall.params;
  return 1 + (levels > 0 ? await ctx.fn.invoke("deep", { levels: levels - 1 }) : 0);
};
