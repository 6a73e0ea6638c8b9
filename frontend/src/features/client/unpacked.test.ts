import { deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Exchange } from './exchange';
import { packing, unpack } from './unpacked';

const answer = (encoding: string, body: Buffer): Exchange => ({
  id: 'i',
  at: 0,
  request: { id: 'i', path: '/mia/x', caller: { kind: 'owner' } },
  head: { status: 200, headers: [{ name: 'Content-Encoding', value: encoding }] },
  chunks: [{ b64: body.toString('base64') }],
  items: [],
  end: { bytes: body.length },
});

it.each([
  ['gzip', gzipSync('{"é": 1}')],
  ['X-GZIP', gzipSync('{"é": 1}')],
  ['deflate', deflateSync('{"é": 1}')],
])('unpacks %s', async (name, body) => expect(await unpack(answer(name, body))).toEqual([{ text: '{"é": 1}' }]));

it('keeps bytes that are no text', async () => expect(await unpack(answer('gzip', gzipSync(Buffer.from([0xff, 0]))))).toEqual([{ b64: '/wA=' }]));

it('leaves what is broken, unknown or far too large', async () => {
  await expect(unpack(answer('gzip', Buffer.from('no gzip')))).rejects.toThrow();
  await expect(unpack(answer('compress', Buffer.from('x')))).rejects.toThrow();
  await expect(unpack(answer('gzip', gzipSync('x'.repeat(5000))), 4999)).rejects.toThrow('more than');
  expect(packing(answer(' Identity', Buffer.from('')))).toBe('');
});
