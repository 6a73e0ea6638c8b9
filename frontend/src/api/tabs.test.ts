import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client } from './client';
import type { LiveEvent } from './contract.gen';
import { EventStream } from './events';
import type { TabMessage, Tabs } from './tabs';

/** Connections to the platform, in the order in which they were opened. */
function server() {
  const opened: { lastId: string | null; write: (text: string) => void; open: boolean }[] = [];
  const fetcher = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((answer) => {
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) });
      const connection = {
        lastId: new Headers(init?.headers).get('Last-Event-ID'),
        write: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
        open: true,
      };
      init?.signal?.addEventListener('abort', () => {
        connection.open = false;
        controller.error(new DOMException('stop', 'AbortError'));
      });
      opened.push(connection);
      answer(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
    });
  return { client: new Client({ api: '' } as never, fetcher as typeof fetch), opened };
}

/** A browser: who leads, who waits, and what is said between tabs. */
function browser() {
  const listeners = new Map<object, Set<(m: TabMessage) => void>>();
  const line: (() => void)[] = [];
  let leader: (() => void) | undefined;
  const mute = new Set<object>();
  const next = () => {
    leader = undefined;
    line.shift()?.();
  };
  const tab = () => {
    const self: Tabs = {
      lead: (work, turn) =>
        new Promise((done) => {
          const lost = new AbortController();
          const begin = () => {
            const own = () => lost.abort();
            leader = own;
            void work(lost.signal).then(() => {
              if (leader === own) next();
              done();
            });
          };
          if ('stepInFront' in turn) {
            leader?.();
            begin();
          } else if (leader) {
            line.push(begin);
            turn.signal.addEventListener('abort', () => {
              const at = line.indexOf(begin);
              if (at >= 0) line.splice(at, 1);
              done();
            });
          } else begin();
        }),
      tell: (message) => {
        if (mute.has(self)) return;
        for (const [other, all] of listeners) if (other !== self) for (const hear of all) queueMicrotask(() => hear(structuredClone(message)));
      },
      listen: (listener) => {
        const all = listeners.get(self) ?? new Set();
        listeners.set(self, all.add(listener));
        return () => all.delete(listener);
      },
    };
    return self;
  };
  return { tab, mute: (t: Tabs) => void mute.add(t), unmute: (t: Tabs) => void mute.delete(t) };
}

const log = (id: number, message: string) => `id: ${id}\nevent: invocation.log\ndata: ${JSON.stringify({ message })}\n\n`;

function follow(client: Client, tabs: Tabs) {
  const stream = new EventStream(client, { tabs, wait: async () => undefined, silenceMs: 60_000 });
  const got: string[] = [];
  stream.subscribe((e: LiveEvent) => got.push(e.event === 'invocation.log' ? e.data.message : e.event));
  stream.start();
  return { stream, got };
}

describe('EventStream in several tabs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it('has one connection for all of them', async () => {
    const s = server();
    const b = browser();
    const tabs = Array.from({ length: 8 }, () => follow(s.client, b.tab()));
    await settle();
    expect(s.opened).toHaveLength(1);
    s.opened[0]!.write(log(1, 'hello') + log(2, 'again'));
    await settle();
    for (const { stream, got } of tabs) {
      expect(stream.state).toBe('live');
      expect(got).toEqual(['hello', 'again']);
      stream.stop();
    }
  });

  it('goes on in the next tab where the one that is gone stopped', async () => {
    const s = server();
    const b = browser();
    const [first, second, third] = [follow(s.client, b.tab()), follow(s.client, b.tab()), follow(s.client, b.tab())];
    await settle();
    s.opened[0]!.write(log(7, 'a'));
    await settle();
    first.stream.stop();
    await settle();
    expect(s.opened[0]!.open).toBe(false);
    expect(s.opened.map((o) => o.lastId)).toEqual([null, '7']);
    s.opened[1]!.write(log(7, 'a') + log(8, 'b'));
    await settle();
    expect(second.got).toEqual(['a', 'b']);
    expect(third.got).toEqual(['a', 'b']);
    second.stream.stop();
    third.stream.stop();
  });

  it('tells a tab that comes late where it stands, so that it can go on from there', async () => {
    const s = server();
    const b = browser();
    const first = follow(s.client, b.tab());
    await settle();
    s.opened[0]!.write(log(7, 'before'));
    await settle();
    const late = follow(s.client, b.tab());
    await settle();
    expect(late.stream.state).toBe('live');
    first.stream.stop();
    await settle();
    expect(s.opened.at(-1)!.lastId).toBe('7');
    expect(late.got).toEqual([]);
    late.stream.stop();
  });

  it('has everything read again when nobody knows where the last tab stopped', async () => {
    const s = server();
    const b = browser();
    const [first, second] = [follow(s.client, b.tab()), follow(s.client, b.tab())];
    await settle();
    first.stream.stop();
    await settle();
    expect(second.got).toEqual(['stream.gap']);
    second.stream.stop();
  });

  it('steps in front of a tab that hangs', async () => {
    const s = server();
    const b = browser();
    const hung = b.tab();
    const first = follow(s.client, hung);
    const second = follow(s.client, b.tab());
    await settle();
    s.opened[0]!.write(log(7, 'a'));
    await settle();
    b.mute(hung);
    // The connection goes on, but nobody is told.
    second.stream.watch(() => second.stream.state === 'down' && b.unmute(hung));
    for (let ms = 0; s.opened.length < 2; ms += 10_000) {
      expect(ms).toBeLessThanOrEqual(80_000);
      s.opened[0]!.write(': keep-alive\n\n');
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(s.opened.map((o) => o.lastId)).toEqual([null, '7']);
    s.opened[1]!.write(log(8, 'b'));
    await settle();
    expect(second.got).toEqual(['a', 'b']);
    expect(first.got).toEqual(['a', 'b']); // it woke up, and listens
    first.stream.stop();
    second.stream.stop();
  });

  it('is heard of while nothing happens', async () => {
    const s = server();
    const b = browser();
    const [first, second] = [follow(s.client, b.tab()), follow(s.client, b.tab())];
    await settle();
    for (let n = 0; n < 40; n++) {
      s.opened[0]!.write(': keep-alive\n\n');
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(s.opened).toHaveLength(1);
    expect(second.stream.state).toBe('live');
    first.stream.stop();
    second.stream.stop();
  });
});
