export default (ctx) => ctx.fn.invoke("circle", {});
