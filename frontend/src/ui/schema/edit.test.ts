import { describe, expect, it } from 'vitest';
import { moveDrafts, pathIn, pathText, pointer, replaceDraft, setAt, withDraft } from './edit';

const draft = (text: string) => ({ text, problem: 'x' });

describe('setAt', () => {
  it.each<[string, unknown, (string | number)[], unknown, unknown]>([
    ['replaces in place', { a: 1, b: 2 }, ['a'], 9, { a: 9, b: 2 }],
    ['adds at the end', { a: 1 }, ['b'], 2, { a: 1, b: 2 }],
    ['removes', { a: 1, b: 2 }, ['a'], undefined, { b: 2 }],
    ['makes what is missing on the way', {}, ['a', 'b'], 1, { a: { b: 1 } }],
    ['replaces an item', { a: [1, 2] }, ['a', 1], 5, { a: [1, 5] }],
    ['appends an item', { a: [1] }, ['a', 1], 2, { a: [1, 2] }],
    ['replaces the whole', { a: 1 }, [], 7, 7],
  ])('%s', (_, root, path, value, want) => expect(setAt(root, path, value)).toEqual(want));

  it('keeps the order of the properties', () => expect(Object.keys(setAt({ a: 1, b: 2, c: 3 }, ['b'], 9) as object)).toEqual(['a', 'b', 'c']));

  it('treats __proto__ as a name', () => {
    const out = setAt({}, ['__proto__'], { x: 1 }) as Record<string, unknown>;
    expect(Object.hasOwn(out, '__proto__')).toBe(true);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('drafts', () => {
  it('go with the value they belong to', () => {
    expect(replaceDraft({ '/a': draft('1'), '/a/b': draft('2'), '/ab': draft('3') }, '/a')).toEqual({ '/ab': draft('3') });
    expect(replaceDraft({}, '/a', draft('x'))).toEqual({ '/a': draft('x') });
  });
  it('follow items that move', () => {
    const before = { '/l/0': draft('a'), '/l/2/x': draft('c'), '/m': draft('m') };
    expect(moveDrafts(before, '/l', (i) => (i === 0 ? undefined : i - 1))).toEqual({ '/l/1/x': draft('c'), '/m': draft('m') });
  });
  it('are named for people', () => {
    expect(pointer(['a/b', 0, 'c~d'])).toBe('/a~1b/0/c~0d');
    expect(pathText('/a~1b/0/c~0d')).toBe('a/b.0.c~d');
  });
});

describe('withDraft', () => {
  it('writes a number as it was typed', () => expect(withDraft({ a: [{ n: 1 }] }, '/a/0/n', draft(' 12345678901234567890 '))).toBe('{\n  "a": [\n    {\n      "n": 12345678901234567890\n    }\n  ]\n}'));
  it('leaves a text that is no JSON', () => expect(withDraft({ n: 1 }, '/n', draft('4x'))).toBeUndefined());
  it('keeps what a text says about patterns', () => expect(withDraft({ s: 'x' }, '/s', draft('"$&"'))).toBe('{\n  "s": "$&"\n}'));
  it('knows lists from objects', () => expect(pathIn({ a: [{ '0': { 'b/c': 1 } }] }, '/a/0/0/b~1c')).toEqual(['a', 0, '0', 'b/c']));
});
