import { describe, expect, it } from 'vitest';
import { asLines, brief, chunkType, keptEvents, logged, matches, rpcType, type WireEvent } from './wire';

const event = (value: unknown, sent = false): WireEvent => ({ n: 0, at: 0, sent, type: 'response.delta', value });

describe('logged', () => {
  it('numbers events in order and lets the oldest go', () => {
    let all: readonly WireEvent[] = [];
    for (let i = 0; i < keptEvents + 3; i++) all = logged(all, i === 0, 't', i);
    expect([all.length, all[0]?.n, all.at(-1)?.n, all.at(-1)?.value]).toEqual([keptEvents, 3, keptEvents + 2, keptEvents + 2]);
  });
});

describe('asLines', () => {
  it('writes one JSON object a line', () =>
    expect(asLines([event({ a: '\n' }), event('x', true)])).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","direction":"received","type":"response.delta","event":{"a":"\\n"}}\n{"time":"1970-01-01T00:00:00.000Z","direction":"sent","type":"response.delta","event":"x"}\n',
    ));
});

describe('matches', () => {
  it.each([
    ['', true],
    ['DELTA', true],
    ['received 240', true],
    ['sent', false],
    ['delta 241', false],
  ])('%j: %s', (filter, want) => expect(matches(event({ total: 240 }), filter)).toBe(want));
});

describe('brief', () => {
  it('leaves out what a row says already', () => {
    expect(brief(event({ type: 't', event_id: 'e', timestamp: 1, delta: { text: 'hi' } }))).toBe('{"delta":{"text":"hi"}}');
    expect(brief(event('[DONE]'))).toBe('[DONE]');
    expect(brief(event({ a: 'x'.repeat(9000) }))).toHaveLength(400);
  });
});

describe('names of messages', () => {
  it.each([
    [{ jsonrpc: '2.0', method: 'SendMessage' }, 'SendMessage'],
    [{ result: { task: {} } }, 'result task'],
    [{ result: {} }, 'result'],
    [{ error: { code: -32601 } }, 'error -32601'],
    [1, 'message'],
  ])('JSON-RPC %j', (value, want) => expect(rpcType(value)).toBe(want));
  it.each([
    ['[DONE]', 'end'],
    [{ choices: [] }, 'chunk'],
    [{ usage: {} }, 'usage'],
    [{ usage: null, tool_progress: { kind: 'emit' } }, 'tool emit'],
    [{ error: {} }, 'error'],
    ['oops', 'chunk'],
  ])('chunk %j', (value, want) => expect(chunkType(value)).toBe(want));
});
