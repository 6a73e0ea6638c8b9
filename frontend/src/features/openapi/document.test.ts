import { describe, expect, it } from 'vitest';
import { entriesOf, fieldsOf, functionOf, resolve, typeOf, type Document } from './document';

const doc: Document = {
  paths: {
    '/a': { parameters: [{ name: 'x', in: 'path' }], get: { tags: ['t'], parameters: [{ name: 'y', in: 'query' }] }, summary: 'no operation' },
    '/b': { post: {}, get: null as never },
  },
  components: {
    schemas: {
      'P/q': { type: 'object', required: ['n'], properties: { n: { type: 'integer', description: 'how many' }, list: { type: 'array', items: { $ref: '#/components/schemas/P~1q' } } } },
      Round: { $ref: '#/components/schemas/Round' },
      Both: { allOf: [{ $ref: '#/components/schemas/P~1q' }], properties: { own: { type: ['string', 'null'] } } },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('an OpenAPI document', () => {
  it('gives its operations with the parameters of their path', () => {
    expect(entriesOf(doc).map((e) => [e.id, e.group, e.operation.parameters?.map((p) => p.name).join()])).toEqual([
      ['get /a', 't', 'x,y'],
      ['post /b', 'other', ''],
    ]);
    expect(entriesOf({})).toEqual([]);
  });
  it('follows references, and survives those that lead nowhere', () => {
    expect(resolve(doc, ref('P~1q'))).toMatchObject({ type: 'object' });
    for (const bad of [ref('Round'), ref('Nothing'), { $ref: 'https://x/y' }, undefined]) expect(resolve(doc, bad)).toEqual({});
  });
  it('names types', () => {
    expect(typeOf(doc, { type: 'string', format: 'date' })).toBe('string (date)');
    expect(typeOf(doc, { enum: ['a', 1] })).toBe('"a" | 1');
    expect(typeOf(doc, { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] })).toBe('string or list of number');
    expect(typeOf(doc, { type: ['string', 'null'] })).toBe('string or null');
    expect(typeOf(doc, undefined)).toBe('anything');
  });
  it('lists members, with an end to what holds itself', () => {
    const fields = fieldsOf(doc, ref('Both'));
    expect(fields[0]).toMatchObject({ name: 'own', required: false });
    expect(fields[1]).toMatchObject({ name: 'n', required: true, description: 'how many', depth: 0 });
    expect(Math.max(...fields.map((f) => f.depth))).toBe(5);
  });
  it('knows what invokes a function', () => {
    expect(functionOf('/api/agents/mia/functions/greet/invoke')).toBe('greet');
    expect(functionOf('/api/agents/mia/orders')).toBeUndefined();
  });
});
