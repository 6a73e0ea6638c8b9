import { describe, expect, it } from 'vitest';
import { exportLines, namespaceTitle, preview, readImport, secondsLeft } from './keys';

const now = Date.parse('2026-11-20T10:00:00Z');

describe('import and export', () => {
  it('reads what it wrote', () => {
    const items = [
      { key: 'a', value: { n: [1, 'ü', null] } },
      { key: 'b "x"\n', value: null },
      { key: 'c', value: 1, expiresAt: '2026-11-20T10:01:30Z' },
      { key: 'gone in a moment', value: 1, expiresAt: '2026-11-20T10:00:00Z' },
    ];
    expect(readImport(exportLines(items, now))).toEqual({
      items: [
        { key: 'a', value: { n: [1, 'ü', null] } },
        { key: 'b "x"\n', value: null },
        { key: 'c', value: 1, ttlSeconds: 90 },
        { key: 'gone in a moment', value: 1, ttlSeconds: 1 },
      ],
    });
  });
  it('reads one line, a list and an object of keys', () => {
    expect(readImport(exportLines([{ key: 'a', value: 1 }], now))).toEqual({ items: [{ key: 'a', value: 1 }] });
    expect(readImport('[{"key":"a","value":1}]')).toEqual({ items: [{ key: 'a', value: 1 }] });
    expect(readImport('{"a": 1, "b": {"key": "x"}}')).toEqual({ items: [{ key: 'a', value: 1 }, { key: 'b', value: { key: 'x' } }] });
  });
  it.each(['', '  ', '3', 'null', '{', '{"key":"a","value":1}\nnonsense', '[{"key":"a"}]', '[{"key":"","value":1}]', '[]', '{}'])('says what is wrong with %s', (text) => {
    expect(readImport(text)).toHaveProperty('problem');
  });
});

describe('what an import must not send', () => {
  it.each([
    ['[{"key":"a","value":1,"ttlSeconds":"soon"}]', /^"ttlSeconds" of item 1/],
    ['[{"key":"a","value":1,"ttlSeconds":-5}]', /^"ttlSeconds" of item 1/],
    ['[{"key":"a","value":1,"ttlSeconds":0.5}]', /^"ttlSeconds" of item 1/],
    ['[{"key":"a","value":1,"ttlSeconds":1e12}]', /^"ttlSeconds" of item 1/],
    [JSON.stringify([{ key: 'a', value: 1 }, { key: 'ü'.repeat(513), value: 1 }]), /^The key of item 2 has 1026 bytes; 1024/],
  ])('names the item that is wrong in %s', (text, problem) => expect(readImport(text)).toEqual({ problem: expect.stringMatching(problem) as string }));
  it('takes names that mean something to JavaScript for names', () => {
    expect(readImport('{"__proto__": {"x": 1}, "constructor": 2}')).toEqual({ items: [{ key: '__proto__', value: { x: 1 } }, { key: 'constructor', value: 2 }] });
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('what is shown', () => {
  it('names namespaces', () => {
    expect(namespaceTitle({ function: 'greet', scope: 'fn' })).toBe('greet');
    expect(namespaceTitle({ function: '', scope: 'agent' })).toBe('all functions');
    expect(namespaceTitle({ function: 'greet', scope: 'fn:visitor:v1' })).toBe('greet · visitor v1');
  });
  it('cuts long values', () => {
    expect(preview({ a: 1 })).toBe('{"a":1}');
    expect(preview('x'.repeat(500), 10)).toBe('"xxxxxxxxx…');
    expect(preview(undefined)).toBe('');
  });
  it('counts what is left', () => {
    expect(secondsLeft({}, now)).toBeUndefined();
    expect(secondsLeft({ expiresAt: '2026-11-20T10:00:01.2Z' }, now)).toBe(2);
    expect(secondsLeft({ expiresAt: '2026-11-20T09:00:00Z' }, now)).toBe(0);
  });
});
