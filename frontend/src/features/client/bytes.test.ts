import { describe, expect, it } from 'vitest';
import { hexBrief, readBase64, readHex } from './bytes';

describe('readHex', () => {
  it.each<[string, number[]]>([
    ['', []],
    ['00ff', [0, 255]],
    ['00 FF\n7f', [0, 255, 127]],
    ['0x00, 0xff', [0, 255]],
    ['\\x00\\xff', [0, 255]],
    ['00:ff-01', [0, 255, 1]],
  ])('reads %j', (text, bytes) => expect([...readHex(text)]).toEqual(bytes));
  it.each([
    ['0g', 'g is no digit of hex'],
    ['abc', 'A digit is missing'],
    ['é', 'é is no digit'],
  ])('refuses %j in words', (text, why) => expect(() => readHex(text)).toThrow(why));
});

describe('readBase64', () => {
  it.each<[string, number[]]>([
    ['', []],
    ['AP/+', [0, 255, 254]],
    ['AP_-', [0, 255, 254]],
    ['A P8\n=', [0, 255]],
    ['AP8', [0, 255]],
  ])('reads %j', (text, bytes) => expect([...readBase64(text)]).toEqual(bytes));
  it('refuses what is none', () => expect(() => readBase64('a!')).toThrow('no base64'));
});

it('begins a binary message in hex', () => {
  expect(hexBrief(new Uint8Array([0, 10, 255]), 2)).toBe('00 0a …');
  expect(hexBrief(new Uint8Array(), 2)).toBe('');
});
