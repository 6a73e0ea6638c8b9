import { describe, expect, it } from 'vitest';
import { highlightJson, jsonText, parseJson } from './json';

describe('highlightJson', () => {
  it.each([[{ a: 'x: y', 'b"c': [1, -2.5e3, true, null] }], ['text'], [undefined], [{ nested: { '': '\\' } }]])('loses no character of %j', (value) => {
    const text = jsonText(value);
    expect(highlightJson(text).map((t) => t.text).join('')).toBe(text);
  });

  it('tells keys from strings', () => {
    const kinds = highlightJson('{\n  "a": "b"\n}').filter((t) => t.kind).map((t) => [t.kind, t.text]);
    expect(kinds).toEqual([['key', '"a"'], ['string', '"b"']]);
  });
});

describe('parseJson', () => {
  it('takes nothing for undefined and says what is wrong', () => {
    expect(parseJson('  ')).toEqual({ ok: true, value: undefined });
    expect(parseJson('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(parseJson('{')).toMatchObject({ ok: false });
  });
});
