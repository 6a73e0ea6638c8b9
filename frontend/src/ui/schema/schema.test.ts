import { describe, expect, it } from 'vitest';
import { choicesOf, fits, formatHint, isNullable, kindOf, losesNumbers, problemOf, resolved, type Schema } from './schema';

const root: Schema = { $defs: { name: { type: 'string' }, loop: { $ref: '#/$defs/loop' } } };

describe('resolved', () => {
  it('follows references and keeps what stands beside', () => expect(resolved({ $ref: '#/$defs/name', title: 'N' }, root)).toEqual({ type: 'string', title: 'N' }));
  it('ends in a circle', () => expect(resolved({ $ref: '#/$defs/loop' }, root)).toEqual({}));
  it('puts allOf together', () =>
    expect(resolved({ allOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} }, required: ['b'] }] }, root)).toEqual({ properties: { a: {}, b: {} }, required: ['a', 'b'] }));
});

describe('kindOf', () => {
  it.each<[Schema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string'],
    [{ type: ['string', 'number'] }, 'choice'],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'string'],
    [{ oneOf: [{ type: 'string' }, { type: 'object' }] }, 'choice'],
    [{ enum: [1] }, 'enum'],
    [{ const: 1 }, 'const'],
    [{ properties: {} }, 'object'],
    [{ prefixItems: [] }, 'array'],
    [{}, 'any'],
    [{ type: 'elephant' }, 'any'],
  ])('%j is %s', (schema, want) => expect(kindOf(schema, root)).toBe(want));
});

describe('isNullable', () => {
  it.each<[Schema, boolean]>([
    [{ type: ['string', 'null'] }, true],
    [{ anyOf: [{ type: 'null' }, {}] }, true],
    [{ type: 'string', nullable: true }, true],
    [{ type: 'string' }, false],
  ])('%j: %s', (schema, want) => expect(isNullable(schema)).toBe(want));
});

describe('choices', () => {
  const pet: Schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    oneOf: [
      { properties: { kind: { const: 'cat' }, lives: { type: 'integer' } }, required: ['kind'] },
      { properties: { kind: { const: 'dog' }, tricks: { type: 'array' } }, required: ['kind'] },
    ],
  };
  it('are named by what tells them apart', () => expect(choicesOf(pet, root).map((c) => c.label)).toEqual(['cat', 'dog']));
  it('have what stands beside them', () => expect(Object.keys(choicesOf(pet, root)[0]!.schema.properties as object)).toEqual(['name', 'kind', 'lives']));
  it('are named by their few values', () => expect(choicesOf({ oneOf: [{ enum: ['ro', 'rw'] }, { type: 'object' }] }, root).map((c) => c.label)).toEqual(['ro | rw', 'object']));
  it('are found by their values', () => {
    const [cat, dog] = choicesOf(pet, root);
    expect(fits(cat!.schema, { kind: 'dog' }, root)).toBe(false);
    expect(fits(dog!.schema, { kind: 'dog' }, root)).toBe(true);
    expect(fits(dog!.schema, {}, root)).toBe(false);
  });
});

describe('problemOf', () => {
  it.each<[Schema, unknown, RegExp | undefined]>([
    [{ minLength: 2 }, 'a', /at least 2/],
    [{ maxLength: 1 }, '😀', undefined],
    [{ pattern: '^a' }, 'b', /must match/],
    [{ pattern: '(' }, 'b', undefined],
    [{ format: 'date' }, '2026-13-01', /date/],
    [{ format: 'email' }, 'ada@example.com', undefined],
    [{ minimum: 3 }, 2, /3 or more/],
    [{ exclusiveMaximum: 3 }, 3, /less than 3/],
    [{ uniqueItems: true }, [1, 1], /twice/],
    [{ minItems: 1 }, [], /at least 1 item$/],
  ])('%j and %j', (schema, value, want) => (want ? expect(problemOf(schema, value)).toMatch(want) : expect(problemOf(schema, value)).toBeUndefined()));
});

it('a hint is what the format looks like, in any language', () => {
  expect(formatHint('date')).toBe('2026-01-31');
  expect(formatHint('constructor')).toBeUndefined();
});

describe('losesNumbers', () => {
  it.each<[string, boolean]>([
    ['{"a": 12345678901234567890}', true],
    ['{"a": 1e999}', true],
    ['{"a": 9007199254740991, "b": 0.1, "c": "12345678901234567890"}', false],
    ['[1.2345678901234567890123]', true],
  ])('%s: %s', (text, want) => expect(losesNumbers(text)).toBe(want));
});
