export const show = (ctx, args) => ({ args, same: args === ctx.args, params: ctx.request.params, skill: ctx.source.skill, consumer: ctx.source.consumerId })
export const create = (ctx, { data, name }) => new Response(JSON.stringify({ data, name }), { status: 201, headers: { 'content-type': 'application/json', 'x-user': name } })
export const who = ({ auth }) => auth
