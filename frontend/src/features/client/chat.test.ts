import { describe, expect, it } from 'vitest';
import { addChunk, addEvent, errorText, type ChatMessage } from './turns';

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
      usage: { input: 1, output: 2, total: 3 },
      done: true,
    });
  });
  it('keeps what the model reasons apart from what it says', () => {
    expect([chunk({ reasoning_content: 'let me ' }), chunk({ reasoning_content: 'see' }), chunk({ content: 'one' })].reduce(addChunk, empty)).toMatchObject({ thinking: 'let me see', text: 'one' });
    const event = (content: string) => ({ type: 'thinking', response_id: 'r', content, is_delta: true });
    expect([event('let me '), event('see'), { type: 'thinking' }].reduce(addEvent, empty)).toEqual({ ...empty, thinking: 'let me see' });
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

describe('addEvent', () => {
  const delta = (value: object) => ({ type: 'response.delta', response_id: 'r', delta: value });
  it('gathers words, a tool with what it emits, usage and the end', () => {
    const m = [
      { type: 'session.created', session: { id: 'sess_1' } },
      { type: 'response.created', response_id: 'r' },
      delta({ type: 'tool_call', tool_call: { id: 'c1', name: 'quote', arguments: '' } }),
      delta({ type: 'tool_call', tool_call: { id: 'c1', name: 'quote', arguments: '{"hours":3}' } }),
      delta({ type: 'tool_progress', tool_progress: { call_id: 'c1', name: 'quote', event: 'half', payload: { n: 1 } } }),
      delta({ type: 'tool_result', tool_result: { call_id: 'c1', result: '{"total":240}', invocation_id: 'i1' } }),
      delta({ type: 'text', text: '240 ' }),
      delta({ type: 'text', text: 'EUR' }),
      { type: 'usage.delta', delta: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
      { type: 'response.done', response: { usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } } },
    ].reduce(addEvent, empty);
    expect(m).toEqual({
      role: 'assistant',
      text: '240 EUR',
      tools: [{ id: 'c1', name: 'quote', args: { hours: 3 }, emitted: [{ event: 'half', payload: { n: 1 } }], result: { total: 240 }, done: true, invocation: 'i1' }],
      usage: { input: 1, output: 2, total: 3 },
      done: false,
    });
  });
  it('says that a tool failed, and shows a result that is no JSON', () => {
    const call = (id: string) => delta({ type: 'tool_call', tool_call: { id, name: 'quote', arguments: '{' } });
    const result = (id: string, text: string, failed: boolean) => delta({ type: 'tool_result', tool_result: { call_id: id, result: text, is_error: failed } });
    expect([call('a'), call('b'), result('a', '{"ok":false}', true), result('b', 'plain', false)].reduce(addEvent, empty).tools).toEqual([
      { id: 'a', name: 'quote', args: '{', emitted: [], result: { ok: false }, done: true, failed: true },
      { id: 'b', name: 'quote', args: '{', emitted: [], result: 'plain', done: true },
    ]);
  });
  it.each([
    [{ type: 'response.error', error: { code: 'generation_error', message: 'the engine is cold' } }, 'the engine is cold'],
    [{ type: 'session.error', error: { code: 'unauthorized', message: 'not you' } }, 'not you'],
    [{ type: 'response.cancelled', partial_output: [] }, 'The answer was cancelled'],
    [{ type: 'tool.call', call_id: 'c', name: 'look' }, 'The agent waits for look, a tool that is to run here: answer it in the UAMP tab'],
  ])('says why an answer is not whole: %j', (e, problem) => expect(addEvent(empty, e).problem).toBe(problem));
  it('passes over what it does not know', () => expect([{ type: 'capabilities' }, { type: 'new.thing' }, delta({ type: 'html', html: '<p>' })].reduce(addEvent, empty)).toEqual(empty));
});

describe('errorText', () => {
  it('reads both forms', () => {
    expect(errorText({ error: { message: 'pay first' } })).toBe('pay first');
    expect(errorText({ error: 'PAYMENT_REQUIRED', message: 'pay first' })).toBe('pay first');
    expect(errorText(1)).toMatch(/no error/);
  });
});
