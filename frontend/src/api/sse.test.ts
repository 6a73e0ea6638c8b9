import { describe, expect, it } from 'vitest';
import { readSse, SseParser, type SseMessage } from './sse';

function stream(pieces: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(c) {
      for (const p of pieces) c.enqueue(typeof p === 'string' ? new TextEncoder().encode(p) : p);
      c.close();
    },
  });
}

async function all(pieces: (string | Uint8Array)[]): Promise<SseMessage[]> {
  const out: SseMessage[] = [];
  for await (const m of readSse(stream(pieces))) out.push(m);
  return out;
}

describe('readSse', () => {
  it('reads id, event and data', async () => {
    expect(await all(['id: 7\nevent: a.b\ndata: {"x":1}\n\n'])).toEqual([{ id: '7', event: 'a.b', data: '{"x":1}' }]);
  });

  it('joins lines of data and calls an unnamed event message', async () => {
    expect(await all(['data: one\ndata: two\n\n'])).toEqual([{ event: 'message', data: 'one\ntwo' }]);
  });

  it('skips comments and messages without data', async () => {
    expect(await all([': keep-alive\n\nevent: nothing\n\ndata:x\n\n'])).toEqual([{ event: 'message', data: 'x' }]);
  });

  it('keeps the last id for messages that have none', async () => {
    expect((await all(['id: 1\ndata: a\n\ndata: b\n\n'])).map((m) => m.id)).toEqual(['1', '1']);
  });

  it('drops what was cut off at the end', async () => {
    expect(await all(['data: whole\n\ndata: cut'])).toEqual([{ event: 'message', data: 'whole' }]);
  });

  const text = '\uFEFFid: 1\r\nevent: grüße\r\ndata: 👋 ünï\r\n\r\nid: 2\rdata: b\r\rdata: c\n\n';
  const whole = [
    { id: '1', event: 'grüße', data: '👋 ünï' },
    { id: '2', event: 'message', data: 'b' },
    { id: '2', event: 'message', data: 'c' },
  ];
  it('reads every kind of line end', async () => {
    expect(await all([text])).toEqual(whole);
  });

  it('reads the same wherever the bytes are cut', async () => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 1; at < bytes.length; at++) {
      expect(await all([bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
    }
    expect(await all([...bytes].map((b) => new Uint8Array([b])))).toEqual(whole);
  });
});

describe('SseParser', () => {
  it('gives messages as soon as they are whole', () => {
    const p = new SseParser();
    expect(p.push('data: a\n')).toEqual([]);
    expect(p.push('\n')).toEqual([{ event: 'message', data: 'a' }]);
  });
});
