import { describe, expect, it } from 'vitest';
import { kindOfParameter, parametersOf, withKind, withParameters } from './parameters';

describe('kindOfParameter', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', enum: ['a'] }, 'enum'],
    [{ enum: [1] }, undefined],
    [{ oneOf: [] }, undefined],
    [{ type: ['string', 'null'] }, undefined],
    [true, undefined],
  ])('%j is %s', (schema, want) => expect(kindOfParameter(schema)).toBe(want));
});

describe('withKind', () => {
  it('keeps what describes and drops what does not belong', () =>
    expect(withKind({ type: 'string', description: 'd', minLength: 1, default: 'x' }, 'integer')).toEqual({ type: 'integer', description: 'd' }));
  it('keeps a default that suits', () => expect(withKind({ type: 'integer', minimum: 1, default: 3 }, 'number')).toEqual({ type: 'number', minimum: 1, default: 3 }));
  it('gives lists items and enums values', () => {
    expect(withKind({}, 'array')).toEqual({ type: 'array', items: { type: 'string' } });
    expect(withKind({}, 'enum').enum).toHaveLength(2);
  });
});

describe('withParameters', () => {
  it('keeps what it does not edit', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'], additionalProperties: false, $defs: { x: {} } };
    expect(withParameters(schema, parametersOf(schema))).toEqual(schema);
    expect(withParameters(schema, parametersOf(schema).slice(1))).toEqual({ type: 'object', properties: { b: {} }, additionalProperties: false, $defs: { x: {} } });
  });
  it('begins an object', () => expect(withParameters(undefined, [{ name: 'a', schema: {}, required: true }])).toEqual({ type: 'object', properties: { a: {} }, additionalProperties: false, required: ['a'] }));
});
