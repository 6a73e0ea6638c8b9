import { describe, expect, it } from 'vitest';
import { addChunk, errorText, type ChatMessage } from './chat';

const empty: ChatMessage = { role: 'assistant', text: '', tools: [], done: false };
const chunk = (delta: object, more: object = {}) => JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more });

describe('addChunk', () => {
  it('gathers words, a tool with what it emits, usage and the end', () => {
    const progress = (kind: string, payload: unknown) => chunk({}, { tool_progress: { call_id: 'c1', tool: 'quote', kind, payload, ...(kind === 'result' ? { invocation_id: 'i1' } : {}) } });
    const m = [
      chunk({ role: 'assistant', content: '' }),
      progress('call', { hours: 3 }),
      progress('emit', { done: 1 }),
      progress('result', { total: 240 }),
      chunk({ content: '240 ' }),
      chunk({ content: 'EUR' }),
      JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
      '[DONE]',
    ].reduce(addChunk, empty);
    expect(m).toEqual({
      role: 'assistant',
      text: '240 EUR',
      tools: [{ id: 'c1', name: 'quote', args: { hours: 3 }, emitted: [{ done: 1 }], result: { total: 240 }, done: true, invocation: 'i1' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      done: true,
    });
  });
  it('keeps two tools of one turn apart', () => {
    const call = (id: string) => chunk({}, { tool_progress: { call_id: id, tool: 'quote', kind: 'call', payload: {} } });
    expect([call('a'), call('b'), call('a')].reduce(addChunk, empty).tools.map((t) => t.id)).toEqual(['a', 'b']);
  });
  it.each([
    ['an error in the middle', JSON.stringify({ error: { message: 'the engine is cold' } }), 'the engine is cold'],
    ['an end for another reason', JSON.stringify({ choices: [{ delta: {}, finish_reason: 'length' }] }), 'It ended because of length'],
    ['what is no JSON', 'oops', 'A chunk is not JSON: oops'],
  ])('says %s', (_, data, problem) => expect(addChunk(empty, data).problem).toBe(problem));
});

describe('errorText', () => {
  it('reads both forms', () => {
    expect(errorText({ error: { message: 'pay first' } })).toBe('pay first');
    expect(errorText({ error: 'PAYMENT_REQUIRED', message: 'pay first' })).toBe('pay first');
    expect(errorText(1)).toMatch(/no error/);
  });
});
