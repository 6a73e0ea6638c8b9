// Handlers of custom endpoints: what they return becomes an answer or a stream
// of chunks, and ctx.socket and ctx.agent talk to the other end. Each chunk and
// each message is a call that ends when the other end has taken or sent it, so
// a slow reader makes its handler wait and nobody else.
(function ($op, $module) {
  'use strict';
  $module('symbols');
  const core = $module('core');
  const { wait, bytesOf } = core;
  const { asyncIterator, iterator } = Symbol;
  const ask = (method, args) => wait(() => $op.peerCall(method, args));
  const isObject = value => typeof value === 'object' && value !== null;
  const isBytes = value => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

  const json = (what, value) => {
    const text = $op.json(value);
    if (text === undefined) throw new TypeError(`${what}: the value has no form in JSON`);
    return text;
  };
  const chunk = value => {
    if (typeof value === 'string') return $op.json({ text: value });
    if (isBytes(value)) return $op.json({ b64: $op.toBase64(bytesOf(value)) });
    return `{"json":${json('a chunk', value === undefined ? null : value)}}`;
  };

  // streamOf gives the iterator of what is sent chunk by chunk: async iterables
  // and generators. Arrays, maps and other collections are values.
  const streamOf = value => {
    if (!isObject(value)) return null;
    if (typeof value[asyncIterator] === 'function') return value[asyncIterator]();
    if (typeof value.next === 'function' && typeof value[iterator] === 'function') return value[iterator]();
    return null;
  };

  // refusal makes an answer of an error with a status, thrown before anything
  // was sent.
  const refusal = error => {
    if (!isObject(error)) return null;
    const { status, code, message } = error;
    if (!Number.isInteger(status) || status < 400 || status > 599) return null;
    return { status, headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { error: { code: typeof code === 'string' ? code : 'ERROR', message: `${message}` } } };
  };

  // What has no JSON form of its own, but a form as a body.
  const whole = value => (isBytes(value) ? { status: 200, headers: {}, bodyB64: $op.toBase64(bytesOf(value)) } : value);

  const http = async (handler, ctx) => {
    let result, chunks = null, first, init = {};
    try {
      result = await handler(ctx, ctx.args);
      chunks = streamOf(result);
      if (chunks === null && isObject(result)) {
        const { streamIn, headOf } = $module('body');
        const body = streamIn(result);
        if (body) {
          chunks = streamOf(body);
          init = headOf(result);
        }
      }
      if (chunks !== null) first = await chunks.next();
    } catch (error) {
      const answer = refusal(error);
      if (answer === null) throw error;
      return answer;
    }
    if (chunks === null) return whole(result);
    await ask('stream.open', $op.json(init));
    for (let step = first; !step.done; step = await chunks.next()) {
      const { closed } = await ask('stream.send', chunk(step.value));
      if (closed) {
        if (typeof chunks.return === 'function') await chunks.return();
        break;
      }
    }
    return undefined;
  };

  let tail = Promise.resolve();
  // inOrder makes calls one after the other, whether they are awaited or not.
  const inOrder = (method, args) => {
    const done = tail.then(() => ask(method, args));
    tail = done.then(() => {}, () => {});
    return done;
  };
  // Messages are given out in the order in which they were asked for.
  let received = Promise.resolve();
  const next = () => {
    const message = received.then(() => ask('socket.receive', '{}'));
    received = message.then(() => {}, () => {});
    return message;
  };
  // A handler that talks on after the other end has left gets an error, and ends
  // well when that is all it ends with.
  const ends = new WeakSet();
  const closed = () => {
    const error = core.coded('SOCKET_CLOSED', 'the WebSocket is closed');
    ends.add(error);
    return error;
  };
  let opened = null;
  const open = protocol => (opened === null ? (opened = inOrder('socket.accept', $op.json({ protocol }))) : opened);

  const socket = {
    // accept opens the connection; send, receive and for await do it, too.
    async accept(protocol) {
      const { closed: gone } = await open(protocol);
      if (gone) throw closed();
    },
    async send(value) {
      const text = json('ctx.socket.send', value);
      open();
      const { closed: gone } = await inOrder('socket.send', `{"json":${text}}`);
      if (gone) throw closed();
    },
    // receive gives the next message, and undefined once there will be none.
    async receive() {
      await open();
      const { closed: gone, message } = await next();
      return gone ? undefined : message;
    },
    async close(code = 1000, reason = '') {
      await inOrder('socket.close', $op.json({ code, reason: `${reason}` }));
    },
    [asyncIterator]() {
      return {
        async next() {
          await open();
          const { closed: gone, message } = await next();
          return gone ? { done: true, value: undefined } : { done: false, value: message };
        },
        async return(value) { return { done: true, value }; },
        [asyncIterator]() { return this; },
      };
    },
  };

  const ws = async (handler, ctx) => {
    let result;
    try {
      result = await handler(ctx, ctx.args);
    } catch (error) {
      const answer = opened === null ? refusal(error) : null;
      if (answer !== null) return answer;
      if (!isObject(error) || !ends.has(error)) throw error;
    }
    await tail;
    return opened === null ? whole(result) : undefined;
  };

  // The chunks of the agent's own model.
  const agent = {
    complete(request) {
      const { messages } = isObject(request) ? request : {};
      if (!Array.isArray(messages)) throw new TypeError('ctx.agent.complete takes {messages: [{role, content}, …]}');
      const args = json('ctx.agent.complete', request);
      let started = null, over = false;
      const start = () => (started === null ? (started = ask('agent.complete', args)) : started);
      return {
        async next() {
          if (over) return { done: true, value: undefined };
          const { id } = await start();
          const { done, chunk: value } = await ask('agent.next', $op.json({ id }));
          over = !!done;
          return over ? { done: true, value: undefined } : { done: false, value };
        },
        async return(value) {
          if (!over && started !== null) {
            over = true;
            const { id } = await started;
            await ask('agent.stop', $op.json({ id }));
          }
          over = true;
          return { done: true, value };
        },
        [asyncIterator]() { return this; },
      };
    },
  };

  return { http, ws, socket, agent };
})
