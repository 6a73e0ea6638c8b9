const spin = ms => { for (const end = Date.now() + ms; Date.now() < end;); }
const streams = {
  async *texts() { yield 'one'; yield 'two'; yield '[DONE]' },
  async *framed() { yield 'data: {"a":1}\n\n'; yield ': a comment\n\n'; yield 'id: 7\ndata: x\n\n' },
  async *lines() { yield 'a\nb'; yield 'data: without an end' },
  async *objects() { yield { type: 'delta', text: 'a' }; yield { n: 1 }; yield [1]; yield null },
  *sync() { yield 'x'; yield 'y' },
  iterable: () => ({ [Symbol.asyncIterator]: () => { let n = 0; return { next: async () => ({ done: n === 2, value: `${n++}` }) } } }),
  async *none() {},
  async *early() { throw Object.assign(new Error('pay before'), { status: 402, code: 'PAY' }) },
  async *denied(ctx) { yield await ctx.kv.get('k') },
  async *late() { yield 'first'; throw new Error('after the headers') },
  async *wall() { yield 'first'; spin(5000); yield 'never' },
  async *steady() { for (let i = 0; i < 4; i++) { spin(400); yield `${i}` } },
  response: () => new Response((async function* () { yield 'raw '; yield new Uint8Array([111, 107]) })(), { status: 203, headers: { 'content-type': 'text/plain', 'x-a': 'b' } }),
  events: () => new Response((async function* () { yield 'own' })(), { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } }),
  list: () => [1],
}
export default ctx => streams[ctx.request.params.k || 'texts'](ctx)
export async function* endless(ctx) {
  try {
    for (let i = 0; ; i++) yield `${i} ${'x'.repeat(1000)}`
  } finally {
    ctx.log.info('the stream was left')
  }
}
