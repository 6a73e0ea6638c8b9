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
    expect(brief(event({ type: 't', event_id: 'e', timestamp: 1, session: { id: 's' } }))).toBe('{"session":{"id":"s"}}');
    expect(brief(event('[DONE]'))).toBe('[DONE]');
    expect(brief(event({ a: 'x'.repeat(9000) }))).toHaveLength(400);
  });
});

describe('the gist of an event', () => {
  const parts = [{ text: 'to' }, { text: ' day' }];
  it.each<[string, unknown, string]>([
    ['words of UAMP', { delta: { type: 'text', text: 'hi ' } }, '"hi "'],
    ['a tool of UAMP', { delta: { tool_call: { name: 'quote', arguments: '{"hours":3}' } } }, 'quote {"hours":3}'],
    ['its result', { delta: { tool_result: { call_id: 'c', result: '{"total":240}' } } }, '{"total":240}'],
    ['the end of an answer', { response: { id: 'r', output: [{ type: 'tool_call' }, { type: 'text', text: '240 EUR' }] } }, '"240 EUR"'],
    ['words of completions', { choices: [{ delta: { content: 'hi' } }] }, '"hi"'],
    ['the beginning of completions', { choices: [{ delta: { role: 'assistant', content: '' } }] }, '{"choices":[{"delta":{"role":"assistant","content":""}}]}'],
    ['a tool of completions', { choices: [], tool_progress: { tool: 'quote', payload: { total: 240 } } }, 'quote {"total":240}'],
    ['what is said over A2A', { method: 'SendMessage', params: { message: { parts } } }, '"to day"'],
    ['a piece of an artifact', { id: 'i', result: { artifactUpdate: { artifact: { parts } } } }, '"to day"'],
    ['a state', { id: 'i', result: { statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } } }, 'TASK_STATE_WORKING'],
    ['a task', { id: 'i', result: { task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts }] } } }, 'TASK_STATE_COMPLETED "to day"'],
    ['a card', { result: { name: 'mia' } }, '{"result":{"name":"mia"}}'],
  ])('%s', (_, value, want) => expect(brief(event(value))).toBe(want));
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
