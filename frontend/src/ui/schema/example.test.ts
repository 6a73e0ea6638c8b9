import { describe, expect, it } from 'vitest';
import { exampleOf } from './example';

describe('exampleOf', () => {
  it.each<[string, unknown, unknown]>([
    ['an object with all its properties', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } } }, { a: '', b: 0, c: false }],
    ['a default', { type: 'string', default: 'Ada' }, 'Ada'],
    ['an example', { type: 'string', examples: ['x', 'y'] }, 'x'],
    ['a constant', { const: 7 }, 7],
    ['the first of an enum', { enum: ['de', 'en'] }, 'de'],
    ['a format', { type: 'string', format: 'email' }, 'ada@example.com'],
    ['a least length', { type: 'string', minLength: 3 }, 'xxx'],
    ['a minimum', { type: 'number', minimum: 5 }, 5],
    ['a multiple above a minimum', { type: 'integer', minimum: 5, multipleOf: 4 }, 8],
    ['more than an exclusive minimum', { type: 'integer', exclusiveMinimum: 5 }, 6],
    ['less than a maximum below zero', { type: 'integer', maximum: -3 }, -4],
    ['one item of an array', { type: 'array', items: { type: 'string' } }, ['']],
    ['as many items as needed', { type: 'array', minItems: 2, items: { const: 1 } }, [1, 1]],
    ['the first choice', { oneOf: [{ type: 'string', default: 'a' }, { type: 'number' }] }, 'a'],
    ['all of several', { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }], type: 'object' }, { a: 1, b: 2 }],
    ['the type that is not null', { type: ['null', 'integer'] }, 0],
    ['an object without a type', { properties: { a: { const: 1 } } }, { a: 1 }],
    ['a reference', { $ref: '#/$defs/n', $defs: { n: { const: 'd' } } }, 'd'],
    ['a reference with escapes', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { const: 1 } } }, 1],
    ['a value for each place of a tuple', { prefixItems: [{ type: 'number' }, { const: 'b' }], items: false, minItems: 2 }, [0, 'b']],
    ['a tuple of older schemas', { type: 'array', items: [{ type: 'number' }, { const: 'b' }], additionalItems: false }, [0, 'b']],
    ['no more items than there may be', { type: 'array', items: { type: 'string' }, maxItems: 0 }, []],
    ['the first choice with what stands beside', { properties: { n: { const: 1 } }, oneOf: [{ properties: { k: { const: 'a' } } }, { properties: { k: { const: 'b' } } }] }, { n: 1, k: 'a' }],
    ['what stands beside a reference', { $ref: '#/$defs/n', default: 5, $defs: { n: { type: 'integer' } } }, 5],
    ['no text that its pattern refuses, where it need not be there', { type: 'object', properties: { zip: { type: 'string', pattern: '^\\d{5}$' } } }, {}],
    ['a text that must be there, whatever its pattern', { type: 'object', properties: { zip: { type: 'string', pattern: '^\\d{5}$' } }, required: ['zip'] }, { zip: '' }],
    ['a chain of its own kind without its next link', { $ref: '#/$defs/n', $defs: { n: { type: 'object', properties: { v: { type: 'integer' }, next: { $ref: '#/$defs/n' } } } } }, { v: 0 }],
    ['null for nonsense', { type: 'elephant' }, null],
    ['null for no schema', undefined, null],
    ['an object for true', true, {}],
  ])('gives %s', (_, schema, want) => {
    expect(exampleOf(schema)).toEqual(want);
  });

  it('ends when a schema contains itself', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } } } };
    expect(JSON.stringify(exampleOf(tree)).length).toBeLessThan(2_000);
  });

  it('does not follow references to elsewhere', () => {
    expect(exampleOf({ $ref: 'https://example.com/schema.json' })).toBeNull();
  });
});
