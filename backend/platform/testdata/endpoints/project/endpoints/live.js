export default async ({ socket, request }, args) => {
  if (args.refuse) return { status: 418, body: 'not today' }
  if (args.quiet) return
  if (args.busy) throw Object.assign(new Error('too many rooms'), { status: 429, code: 'BUSY' })
  await socket.accept(args.protocol)
  await socket.send({ room: request.params.room })
  for await (const m of socket) {
    if (m.throw) throw new Error(m.throw)
    if (m.close) return socket.close(m.close, 'as you wish')
    if (m.spin) for (;;);
    if (m.fill) { const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1)) }
    if (m.end) return
    socket.send({ echo: m })
    if (m.twice) socket.send({ again: m })
  }
}
// Relays the agent's model for each message that has messages, spec 4.5.7.
export async function relay({ socket, agent }) {
  for await (const { messages } of socket) {
    if (!Array.isArray(messages)) continue
    for await (const chunk of agent.complete({ messages })) await socket.send(chunk)
    await socket.send({ done: true })
  }
}
export async function count({ socket }) {
  let n = 0
  for await (const m of socket) await socket.send({ n: ++n })
}
export async function pair({ socket }) {
  const [first, second] = await Promise.all([socket.receive(), socket.receive()])
  await socket.send({ first, second })
}
export const who = async ({ socket, auth }) => socket.send({ known: auth.authenticated })
