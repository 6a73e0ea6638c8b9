import { describe, expect, it } from 'vitest';
import { Client } from './client';
import type { EmittedEvent } from './contract.gen';
import { invoke } from './invoke';

const stream = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Idempotent-Replayed': 'true' } });

async function run(res: Response) {
  let sent: RequestInit | undefined;
  const client = new Client({ api: '' }, (async (_, init) => {
    sent = init;
    return res;
  }) as typeof fetch);
  const events: EmittedEvent[] = [];
  const answer = await invoke(client, { agent: 'a', name: 'f', body: '{}', idempotencyKey: 'k', onEmit: (e) => events.push(e) });
  return { answer, events, sent };
}

describe('invoke', () => {
  it('gives events as they come and the result at the end', async () => {
    const { answer, events, sent } = await run(stream('event: progress\ndata: {"n":1}\n\nevent: result\ndata: {"ok":true,"result":5}\n\n'));
    expect(answer).toEqual({ result: { ok: true, result: 5 }, replayed: true });
    expect(events).toMatchObject([{ event: 'progress', payload: { n: 1 } }]);
    expect(new Headers(sent?.headers).get('Idempotency-Key')).toBe('k');
    expect(new Headers(sent?.headers).get('Accept')).toBe('text/event-stream');
  });

  it('does not take an event called result for the result', async () => {
    const { answer, events } = await run(stream('event: result\ndata: "mine"\n\nevent: result\ndata: {"ok":true}\n\n'));
    expect(answer.result).toEqual({ ok: true });
    expect(events).toMatchObject([{ event: 'result', payload: 'mine' }]);
  });

  it('reads a plain answer too', async () => {
    expect((await run(Response.json({ ok: false, errorCode: 'WALL_TIMEOUT' }))).answer.result.errorCode).toBe('WALL_TIMEOUT');
  });

  it('throws a refusal that came after the stream had begun', async () => {
    await expect(run(stream('event: result\ndata: {"error":{"code":"POOL_SATURATED","message":"busy"}}\n\n'))).rejects.toMatchObject({ code: 'POOL_SATURATED' });
  });

  it('says when the stream ended early', async () => {
    await expect(run(stream('event: progress\ndata: 1\n\n'))).rejects.toThrow('ended before the result');
  });
});
