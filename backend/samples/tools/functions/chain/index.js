// ctx.fn.invoke runs a function of the same agent within the time that is left.
export default async (ctx) => ({ functions: await ctx.fn.list(), sum: await ctx.fn.invoke("calculate", { expr: "2*3" }) });
