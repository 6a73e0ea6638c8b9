import { describe, expect, it, vi } from 'vitest';
import { Client } from './client';
import type { LiveEvent } from './contract.gen';
import { EventStream, parseEvent } from './events';

/** A server whose connections the test opens, feeds and cuts. */
function server() {
  const connections: { headers: Headers; write: (text: string) => void; cut: () => void; refuse: (status: number) => void }[] = [];
  let arrived: () => void = () => undefined;
  const fetcher = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((answer, fail) => {
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) });
      init?.signal?.addEventListener('abort', () => {
        const stop = new DOMException('stop', 'AbortError');
        fail(stop);
        controller.error(stop);
      });
      let open = false;
      const accept = () => {
        if (!open) answer(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
        open = true;
      };
      connections.push({
        headers: new Headers(init?.headers),
        write: (text) => {
          accept();
          controller.enqueue(new TextEncoder().encode(text));
        },
        cut: () => {
          accept();
          controller.close();
        },
        refuse: (status) => answer(new Response('{}', { status })),
      });
      arrived();
    });
  return {
    client: new Client({ api: '' }, fetcher as typeof fetch),
    connections,
    async connection(n: number) {
      while (connections.length < n) await new Promise<void>((r) => (arrived = r));
      return connections[n - 1]!;
    },
  };
}

const log = (id: number, message: string) => `id: ${id}\nevent: invocation.log\ndata: ${JSON.stringify({ message })}\n\n`;

function nextEvent(stream: EventStream): Promise<LiveEvent> {
  return new Promise((r) => {
    const stop = stream.subscribe((e) => {
      stop();
      r(e);
    });
  });
}

function reached(stream: EventStream, state: string): Promise<void> {
  return new Promise((r) => {
    if (stream.state === state) return r();
    const stop = stream.watch(() => {
      if (stream.state === state) {
        stop();
        r();
      }
    });
  });
}

describe('EventStream', () => {
  it('delivers events and resumes after the last one', async () => {
    const s = server();
    const waits: number[] = [];
    const stream = new EventStream(s.client, { wait: async (ms) => void waits.push(ms), random: () => 1 });
    stream.start();
    const first = await s.connection(1);
    expect(first.headers.has('Last-Event-ID')).toBe(false);
    const got = nextEvent(stream);
    first.write(log(41, 'hello'));
    expect(await got).toMatchObject({ id: 41, event: 'invocation.log', data: { message: 'hello' } });
    expect(stream.state).toBe('live');
    first.cut();
    await reached(stream, 'down');
    const second = await s.connection(2);
    expect(second.headers.get('Last-Event-ID')).toBe('41');
    const live = reached(stream, 'live');
    second.write(log(42, 'again'));
    await live;
    expect(waits).toEqual([300]);
    stream.stop();
  });

  it('waits longer after each failure, up to a limit, and starts over once it was open', async () => {
    const s = server();
    const waits: number[] = [];
    const stream = new EventStream(s.client, { wait: async (ms) => void waits.push(ms), random: () => 1 });
    stream.start();
    for (let n = 1; n <= 7; n++) (await s.connection(n)).refuse(503);
    await s.connection(8);
    expect(waits).toEqual([300, 600, 1200, 2400, 4800, 8000, 8000]);
    (await s.connection(8)).cut();
    await s.connection(9);
    expect(waits.at(-1)).toBe(300);
    stream.stop();
  });

  it('does not knock on without a session', async () => {
    const s = server();
    const wait = vi.fn(async () => undefined);
    const stream = new EventStream(s.client, { wait });
    stream.start();
    const down = reached(stream, 'down');
    (await s.connection(1)).refuse(401);
    await down;
    expect(wait).not.toHaveBeenCalled();
    expect(s.connections).toHaveLength(1);
  });

  it('takes silence for a lost connection', async () => {
    vi.useFakeTimers();
    try {
      const s = server();
      const stream = new EventStream(s.client, { wait: async () => undefined, silenceMs: 1_000 });
      stream.start();
      (await s.connection(1)).write(': hello\n\n');
      await vi.advanceTimersByTimeAsync(900);
      s.connections[0]!.write(': keep-alive\n\n');
      await vi.advanceTimersByTimeAsync(900);
      expect(s.connections).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(200);
      expect(stream.state).toBe('down');
      stream.stop();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('parseEvent', () => {
  it('ignores what it does not know and what is no JSON', () => {
    expect(parseEvent({ event: 'something.new', data: '{}' })).toBeUndefined();
    expect(parseEvent({ event: 'invocation.log', data: '{' })).toBeUndefined();
  });
});
