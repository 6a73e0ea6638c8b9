import { describe, expect, it } from 'vitest';
import { Exact, holdsExact, nearly, readJson, writeJson } from './exact';

describe('readJson', () => {
  it.each([
    '12345678901234567890',
    '-0',
    '1e400',
    '[0.1000,1.0,-0.0,1E5,3.141592653589793238462643383279]',
    '{"n":12345678901234567890,"deep":[{"m":9007199254740993}]}',
    '{"x":1,"x":2}',
    '{"10":1,"2":2}',
    '{"a":{"x":-0,"x":[1e999]},"__proto__":1.50}',
    '{"s":"a\\"b\\\\","e":"","n":null,"t":true,"f":false,"l":[],"o":{}}',
  ])('and writeJson keep %s', (text) => expect(writeJson(readJson(text))).toBe(text));

  it('gives plain values where those say all', () => {
    const text = '{ "a": [1, 2.5, "x"],\n\t"b": {"c": null} }';
    expect(readJson(text)).toEqual({ a: [1, 2.5, 'x'], b: { c: null } });
    expect(holdsExact(readJson(text))).toBe(false);
  });

  it('keeps nothing below members that code reads', () => {
    expect(readJson('{"manifest":{"limits":{"wallMs":1e3}},"input":1e3}', ['manifest'])).toEqual({ manifest: { limits: { wallMs: 1000 } }, input: new Exact('1e3') });
  });

  it('refuses what is no JSON as JSON.parse does', () => expect(() => readJson('{')).toThrow(SyntaxError));
});

describe('writeJson', () => {
  it('is JSON.stringify for plain values', () => {
    for (const value of [{ a: undefined, b: [undefined, 1] }, 'x', null, [{}]]) expect(writeJson(value)).toBe(JSON.stringify(value));
    expect(writeJson({ a: undefined, b: new Exact('-0') })).toBe('{"b":-0}');
  });
});

it('is nearly a value where nobody asks for more', () => {
  expect(nearly(new Exact('1.50'))).toBe(1.5);
  expect(JSON.stringify({ n: new Exact('12345678901234567890') })).toBe('{"n":12345678901234567000}');
});
