import { describe, expect, it, vi } from 'vitest';
import { misfitsOf } from './validate';

const schema = {
  type: 'object',
  required: ['name', 'list'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, description: 'Give it a name.' },
    list: { type: 'array', minItems: 1, items: { $ref: '#/$defs/item' } },
    kind: { enum: ['a', 'b'] },
    one: { const: 1 },
    either: { type: ['string', 'null'] },
    map: { type: 'object', additionalProperties: { type: 'boolean' } },
    pick: { type: 'object', minProperties: 1, maxProperties: 1 },
    old: { not: {}, description: 'Use name.' },
    at: { type: 'string', format: 'uri' },
  },
  $defs: { item: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1, description: 'Count.' } } } },
};
const good = { name: 'n', list: [{ id: 1 }] };
const told = (value: unknown) => misfitsOf(schema, value).map((m) => `${m.path} ${m.text}`);

describe('misfitsOf', () => {
  it('tells emptiness from other shortness in every language', async () => {
    vi.resetModules();
    vi.doMock('../../i18n/t', () => ({ t: (message: string) => (message === 'is empty' ? 'leer' : 'zu kurz') }));
    const { misfitsOf: told } = await import('./validate');
    vi.doUnmock('../../i18n/t');
    expect(told({ type: 'string', minLength: 1 }, '')).toEqual([{ path: '', text: 'leer' }]);
    expect(told({ type: 'string', minLength: 3 }, 'a')).toEqual([{ path: '', text: 'zu kurz' }]);
  });

  it('finds nothing where nothing is wrong', () => expect(told({ ...good, kind: 'a', one: 1, either: null, map: { x: true }, pick: { a: 1 }, at: 'http://a/' })).toEqual([]));
  it.each([
    ['another type', [], [' is a list, not an object']],
    ['a missing member', { list: [{ id: 1 }] }, ['name is missing']],
    ['an empty text and list', { name: '', list: [] }, ['name is empty', 'list is an empty list']],
    ['a place in a list, through a reference', { name: 'n', list: [{ id: 1 }, {}, { id: 0 }, { id: '1' }] }, ['list[1].id is missing', 'list[2].id 1 or more', 'list[3].id is a text, not a whole number']],
    ['what is none of a choice', { ...good, kind: 'c', one: 2, either: 1 }, ['kind is none of "a", "b"', 'one is not 1', 'either is a number, not a text or null']],
    ['members of a map', { ...good, map: { x: 1 } }, ['map.x is a number, not true or false']],
    ['too few and too many members', { ...good, pick: {} }, ['pick has 0 members, not 1 or more']],
    ['a format', { ...good, at: 'here' }, ['at should be an address such as https://example.com/']],
    ['what is not known, and what must not be there', { ...good, more: 1, old: 1 }, ['more is not known here', 'old does not belong here']],
    ['a name of the language itself', { ...good, constructor: 1 }, ['constructor is not known here']],
  ])('says %s', (_, value, want) => expect(told(value)).toEqual(want));
  it('adds what the schema says about the place', () => {
    expect(misfitsOf(schema, { list: [{ id: 0 }], old: 1 })).toEqual([
      { path: 'name', text: 'is missing', hint: 'Give it a name.' },
      { path: 'list[0].id', text: '1 or more', hint: 'Count.' },
      { path: 'old', text: 'does not belong here', hint: 'Use name.', extra: true },
    ]);
  });
  it('ends on a schema in a circle, and on a great many problems', () => {
    const circle = { type: 'object', properties: { a: { $ref: '#' } }, $defs: {} };
    let deep: unknown = {};
    for (let i = 0; i < 200; i++) deep = { a: deep };
    expect(misfitsOf(circle, deep)).toEqual([]);
    expect(misfitsOf(schema, { name: 'n', list: Array.from({ length: 5000 }, () => ({})) })).toHaveLength(100);
  });
});
