export default (ctx) => ctx.fn.invoke("circle_back", {});
