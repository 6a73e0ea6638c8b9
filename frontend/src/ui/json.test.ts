import { describe, expect, it } from 'vitest';
import { highlightJson, jsonText, layOut, parseJson } from './json';

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

describe('jsonText', () => {
  it('shows what would turn the text around it, as the same value', () => {
    expect(jsonText('a\u202eb')).toBe('"a\\u202eb"');
    expect(JSON.parse(jsonText({ '\u2066': '\u200f' }))).toEqual({ '\u2066': '\u200f' });
  });
});

describe('layOut', () => {
  it.each<unknown>([{ a: [1, { b: 'x, {y}: "z"' }], c: {}, d: [] }, 'text', [[[]]], null])('gives what laid-out JSON is: %j', (value) => expect(layOut(JSON.stringify(value))).toBe(jsonText(value)));
  it('reads a text without its end', () => expect(layOut('{"a":[1,{"b":"tex')).toBe('{\n  "a": [\n    1,\n    {\n      "b": "tex'));
});
