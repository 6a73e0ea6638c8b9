const shapes = {
  text: () => 'hello', null: () => null, list: () => [1, 2], bytes: () => new Uint8Array([104, 105]), buffer: () => new Uint8Array([1, 2]).buffer,
  response: () => new Response('made', { status: 202, headers: { 'x-made': 'yes', 'content-type': 'text/x-made' } }),
  gone: () => { throw Object.assign(new Error('no such thing'), { status: 410, code: 'GONE' }) },
  pay: () => { throw { status: 402, message: 'first pay' } },
  throws: () => { throw new Error('oops') }, fn: () => () => 1,
  fetch: () => fetch('https://example.com/'), kv: ctx => ctx.kv.get('k'), socket: ctx => typeof ctx.socket, agent: ctx => typeof ctx.agent.complete,
}
export default async ctx => shapes[ctx.request.params.k](ctx)
export const page = () => '<p>hello'
export const slow = () => { for (;;); }
