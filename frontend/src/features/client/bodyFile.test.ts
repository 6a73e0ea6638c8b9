import { describe, expect, it } from 'vitest';
import type { ClientRequest } from '../../api/contract.gen';
import { fromBase64, toBase64 } from './base64';
import { linesForFile, linesForText, mostBytes, namedFile, problemOfFile, readFile, withFile, type BodyFile } from './bodyFile';

const request: ClientRequest = { id: 'i', method: 'POST', path: '/mia/x', headers: [{ name: 'X-A', value: '1' }], caller: { kind: 'owner' } };
const file: BodyFile = { name: 'a.png', type: 'image/png', bytes: new Uint8Array([0, 255, 10, 13]) };

describe('a file as a body', () => {
  it('is read byte for byte, up to a bound', async () => {
    expect(await readFile(new File([file.bytes!], 'a.png', { type: 'image/png' }))).toEqual(file);
    const large = { name: 'large.bin', size: mostBytes + 1 } as File;
    await expect(readFile(large)).rejects.toThrow('large.bin has');
  });
  it('goes out in base64, of whatever length', () => {
    const all = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256);
    expect(fromBase64(toBase64(all))).toEqual(all);
    expect(withFile(request, { ...file, bytes: all }).bodyB64).toBe(toBase64(all));
    expect(withFile(request, undefined)).toBe(request);
  });
  it('has its own type, unless one is written', () => {
    const typeOf = (r: ClientRequest) => r.headers?.filter((h) => h.name.toLowerCase() === 'content-type').map((h) => h.value);
    expect(typeOf(withFile(request, file))).toEqual(['image/png']);
    expect(typeOf(withFile(request, { ...file, type: '' }))).toEqual(['application/octet-stream']);
    expect(typeOf(withFile({ ...request, headers: [{ name: 'content-type', value: 'text/x' }] }, file))).toEqual(['text/x']);
  });
  it('says what is missing', () => {
    expect(problemOfFile({ name: '' })).toMatch(/^Choose the file/);
    expect(problemOfFile(namedFile(file))).toBe('Choose a.png again: files are not kept');
    expect(problemOfFile(file)).toBeUndefined();
    expect(problemOfFile({ name: 'empty', bytes: new Uint8Array(0) })).toBeUndefined();
  });
});

describe('the header lines of a file', () => {
  const filled = 'Accept: */*\nContent-Type: application/json';
  it('lose the type that nobody wrote, and have it back for a text', () => {
    const lines = linesForFile(filled, filled);
    expect(lines).toBe('Accept: */*');
    expect(linesForText(lines, filled)).toBe(filled);
  });
  it('keep a type that somebody wrote', () => {
    expect(linesForFile('content-type: text/x', filled)).toBe('content-type: text/x');
    expect(linesForText('content-type: text/x', filled)).toBe('content-type: text/x');
    expect(linesForFile('X-A: 1', filled)).toBe('X-A: 1');
    expect(linesForText('X-A: 1', '')).toBe('X-A: 1');
  });
});
