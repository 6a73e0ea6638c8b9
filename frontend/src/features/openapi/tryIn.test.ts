import { describe, expect, it } from 'vitest';
import { entriesOf, type Document } from './document';
import { draftOf } from './tryIn';

const doc: Document = {
  servers: [{ url: 'http://127.0.0.1:4780/api/agents/mia/' }],
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: { parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'integer', minimum: 3 } }, { name: 'other', in: 'query' }, { name: 'X-Tenant', in: 'header', required: true, schema: { enum: ['a b'] } }] },
      put: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } },
      delete: {},
    },
    '/form': { servers: [{ url: '/own' }, { url: '/other' }], post: { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { a: { default: 'x y' }, n: { type: 'integer' } } } } } } } },
    '/words': { get: { responses: { '200': { content: { 'text/event-stream': {} } } } } },
    '/both': { get: { responses: { '200': { content: { 'application/json': {}, 'text/event-stream': {} } } } } },
    '/given': { post: { requestBody: { $ref: '#/components/requestBodies/Given' } } },
    '/text': { post: { requestBody: { content: { 'text/plain': { schema: { type: 'string', default: 'hi' } } } } } },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true } },
    schemas: { Order: { type: 'object', properties: { n: { type: 'integer' }, of: { $ref: '#/components/schemas/Item' } } }, Item: { type: 'object', properties: { name: { type: 'string', default: 'pear' } } } },
    requestBodies: { Given: { content: { 'application/vnd.x+json': { example: { ready: true } } } } },
  },
};
const tried = (id: string) => draftOf(doc, entriesOf(doc).find((e) => e.id === id)!);

describe('an operation in Client', () => {
  it('keeps the names of the path, and has examples of what else is required', () => {
    expect(tried('get /orders/{id}')).toEqual({
      kind: 'http',
      draft: { method: 'GET', path: '/api/agents/mia/orders/{id}?q=3', headers: 'X-Tenant: a b', body: '' },
    });
  });
  it('follows references into the document for the body', () => {
    const { draft } = tried('put /orders/{id}');
    expect(draft.headers).toBe('Content-Type: application/json');
    expect(JSON.parse(draft.body)).toEqual({ n: 0, of: { name: 'pear' } });
  });
  it('takes the example that is given', () => expect(JSON.parse(tried('post /given').draft.body)).toEqual({ ready: true }));
  it('writes forms and texts', () => {
    expect(tried('post /form').draft).toMatchObject({ path: '/own/form', body: 'a=x+y&n=0', headers: 'Content-Type: application/x-www-form-urlencoded' });
    expect(tried('post /text').draft.body).toBe('hi');
  });
  it('listens to what streams and does nothing else', () => {
    expect(tried('get /words')).toMatchObject({ kind: 'sse', draft: { headers: 'Accept: text/event-stream' } });
    expect(tried('get /both')).toMatchObject({ kind: 'http', draft: { headers: '' } });
  });
});
