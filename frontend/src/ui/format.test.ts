import { describe, expect, it } from 'vitest';
import { clock, duration, visible } from './format';

describe('duration', () => {
  it.each([[0, '0 ms'], [0.4, '0.40 ms'], [41, '41 ms'], [1240, '1.24 s'], [60_000, '1 m 0 s'], [119_600, '2 m 0 s'], [125_000, '2 m 5 s'], [-1, '–']])('writes %d ms', (ms, text) => expect(duration(ms)).toBe(text));
});

describe('clock', () => {
  it('begins a day with 00', () => expect(clock(new Date(2026, 0, 2, 0, 5, 9).getTime())).toBe('00:05:09'));
});

describe('visible', () => {
  it.each([
    ['a b\tc\nd', 'a b\\tc\\nd'],
    ['data\u202Egnp.exe', 'data\\u202egnp.exe'],
    ['\u0000', '\\u0000'],
    ['مفتاح 日本語 👨‍👩‍👧', 'مفتاح 日本語 👨‍👩‍👧'],
  ])('writes out what cannot be seen in %j', (name, text) => expect(visible(name)).toBe(text));
});
