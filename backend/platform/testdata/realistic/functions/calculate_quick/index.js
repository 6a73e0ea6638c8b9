export default (ctx) => ({ value: new Function(`return (${ctx.toolCall.params.expr})`)() });
