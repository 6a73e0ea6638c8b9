import { expect, test } from 'vitest';
import { accountName, filterText, money, plain, readAmount, readFilter } from './money';

test.each([
  [0, '$0.00'],
  [0.05, '$0.05'],
  [1000, '$1,000.00'],
  [0.000000001, '$0.000000001'],
  [-2.5, '−$2.50'],
  [undefined, '–'],
  [Number.NaN, '–'],
])('money(%s) is %s', (amount, text) => {
  expect(money(amount)).toBe(text);
});

test.each([
  ['0.05', 0.05],
  [' $ 12 ', 12],
  ['0.000000001', 0.000000001],
])('%j is an amount', (text, amount) => {
  expect(readAmount(text)).toEqual({ amount });
});

test.each(['', '0', '0.00', '-1', '1e3', '1,5', 'ten', '0.0000000001', '1234567890'])('%j is none', (text) => {
  expect(readAmount(text)).toHaveProperty('problem');
});

test.each([0.000000001, 0.05, 1000, 123456.789])('what stands in a form for %d is read as that', (amount) => {
  expect(readAmount(plain(amount))).toEqual({ amount });
});

test('accounts have names', () => {
  const names = new Map([['a1', 'mia']]);
  expect(accountName('agent:a1', names)).toBe('mia');
  expect(accountName('agent:0123456789', names)).toBe('agent 23456789');
  expect(accountName('token:0123456789', names)).toBe('token 23456789');
  expect(accountName('fee', names)).toBe('platform fee');
  expect(accountName('owner', names)).toBe('owner');
});

test('a filter is read and written', () => {
  const filter = readFilter('token:t1  kind:settle nothing: colour:red');
  expect(filter).toEqual({ token: 't1', kind: 'settle' });
  expect(readFilter(filterText(filter))).toEqual(filter);
});
