import { describe, expect, it } from 'vitest';
import { addStreamed, readAnswer, readCard, sendMessage } from './a2a';

const answer = (result: object) => ({ jsonrpc: '2.0', id: '1', result });
const piece = (text: string, append: boolean, artifactId = 'a') => answer({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId, parts: [{ text }] }, append } });
const state = (name: string) => answer({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: name } } });

describe('addStreamed', () => {
  const play = (all: unknown[]) => readAnswer(all.reduce(addStreamed, undefined));
  it('puts a task together from its pieces', () => {
    const task = answer({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } });
    expect(play([task, state('TASK_STATE_WORKING'), piece('240 ', false), piece('EUR', true), state('TASK_STATE_COMPLETED')])).toEqual({ text: '240 EUR', state: 'completed', contextId: 'c' });
    expect(play([task, piece('one', false), piece('two', false), piece(' three', false, 'b')]).text).toBe('two three');
  });
  it('takes a message, and an error, as they are', () => {
    expect(play([answer({ message: { contextId: 'c', parts: [{ text: 'hi' }] } })])).toEqual({ text: 'hi', state: '', contextId: 'c' });
    expect(play([{ jsonrpc: '2.0', id: '1', error: { code: -32601, message: 'no such method' } }]).problem).toBe('-32601: no such method');
  });
});

describe('readAnswer', () => {
  it('says when an answer has nothing in it', () => {
    expect(readAnswer(answer({})).problem).toMatch(/neither a task nor a message/);
    expect(readAnswer('x').problem).toBe('The answer is not JSON');
  });
});

describe('readCard', () => {
  it('shows what is there, however broken the rest', () => {
    expect(readCard({ name: 1, supportedInterfaces: [{ url: 'http://a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, 'x'], skills: {} })).toEqual({ name: '', description: '', interfaces: ['JSONRPC 1.0 at http://a/'], skills: [] });
    expect(readCard('x')).toBeUndefined();
  });
});

describe('sendMessage', () => {
  it('goes on in a context, streamed or not', () => {
    expect(sendMessage('hi', 'm', 'c', true)).toMatchObject({ method: 'SendStreamingMessage', params: { message: { contextId: 'c' } } });
    expect(sendMessage('hi', 'm', undefined, false)).toEqual({ jsonrpc: '2.0', id: 'm', method: 'SendMessage', params: { message: { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'hi' }] } } });
  });
});
