import { describe, expect, it } from 'vitest';
import type { Exchange, LiveItem } from './exchange';
import { dueOf, dueOfExchange, dueOfSession, mintAmount, submitPayment } from './payment';
import { withoutToken } from './tokens';

const accepts = [{ scheme: 'token', amount: '0.02' }];

describe('dueOf', () => {
  it.each<[string, unknown]>([
    ['a 402 over HTTP', { error: 'this costs 0.02', accepts, context: { accepts } }],
    ['a 402 of chat completions', { error: 'this costs 0.02', context: { accepts } }],
    ['a failed task', { code: 'payment_required', message: 'this costs 0.02', accepts }],
    ['an event', { type: 'payment.required', message: 'this costs 0.02', requirements: { amount: '0.02' } }],
  ])('reads %s', (_, value) => expect(dueOf(value)).toEqual({ amount: 0.02, text: 'this costs 0.02' }));
  it.each([[undefined], ['text'], [{}], [{ accepts: [] }], [{ accepts: [{ amount: 'much' }] }]])('sees none in %j', (value) => expect(dueOf(value)).toBeUndefined());
});

describe('dueOfExchange', () => {
  const x = (status: number, more: Partial<Exchange>, headers: { name: string; value: string }[] = []): Exchange => ({ id: 'i', request: { id: 'i', path: '/', caller: { kind: 'owner' } }, at: 0, head: { status, headers }, chunks: [], items: [], ...more });
  it('reads the body, or the header where there is none', () => {
    const body = JSON.stringify({ error: 'this costs 0.02', accepts });
    expect(dueOfExchange(x(402, { chunks: [{ text: body }] }))?.amount).toBe(0.02);
    expect(dueOfExchange(x(402, {}, [{ name: 'Payment-Required', value: btoa(body) }]))?.amount).toBe(0.02);
    expect(dueOfExchange(x(200, { chunks: [{ text: body }] }))).toBeUndefined();
    expect(dueOfExchange(x(402, {}, [{ name: 'Payment-Required', value: '%' }]))).toBeUndefined();
  });
});

describe('dueOfSession', () => {
  const items = (...types: string[]): LiveItem[] => types.map((type, n) => ({ n, atMs: n, sent: false, text: JSON.stringify({ type, requirements: { amount: '0.02' } }) }));
  it.each<[string[], boolean]>([
    [['session.created', 'payment.required'], true],
    [['payment.required', 'payment.error'], true],
    [['payment.required', 'payment.accepted', 'response.done'], false],
    [['payment.required', 'response.error'], false],
    [['payment.required', 'response.error', 'payment.required'], true],
    [[], false],
  ])('after %j: %s', (types, due) => expect(dueOfSession(items(...types)) !== undefined).toBe(due));
});

describe('tokens', () => {
  it('are sent and not shown', () => {
    const event = submitPayment('a.b.c', { amount: 0.02, text: '' });
    expect(JSON.parse(event)).toEqual({ type: 'payment.submit', payment: { scheme: 'token', amount: '0.02', token: 'a.b.c' } });
    expect(withoutToken(event)).not.toContain('a.b.c');
    expect(withoutToken('{"token": "of another kind"}')).toContain('of another kind');
  });
  it('have what is due, one credit at least', () => {
    expect(mintAmount()).toBe(1);
    expect(mintAmount({ amount: 0.02, text: '' })).toBe(1);
    expect(mintAmount({ amount: 2.5, text: '' })).toBe(3);
  });
});
