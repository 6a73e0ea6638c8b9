import { describe, expect, it } from 'vitest';
import { fileNameOf, firstBytes, hexLines, isPicture, readable } from './answerFile';
import type { Exchange } from './exchange';

const answer = (headers: Record<string, string>, path = '/mia/x', chunks: Exchange['chunks'] = []): Exchange => ({
  id: 'i',
  at: 0,
  request: { id: 'i', path, caller: { kind: 'owner' } },
  head: { status: 200, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
  chunks,
  items: [],
});

describe('fileNameOf', () => {
  const named = (value: string) => fileNameOf(answer({ 'Content-Disposition': value, 'Content-Type': 'image/png' }));
  it.each([
    ['attachment; filename="chart.png"', 'chart.png'],
    ['attachment; filename=chart.png; size=3', 'chart.png'],
    ['attachment; filename="a \\"b\\".txt"', 'a b.txt'],
    [`attachment; filename="x.txt"; filename*=UTF-8''gr%C3%BCn.txt`, 'grün.txt'],
    [`attachment; filename*=UTF-8''100%.txt`, '100%.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\temp\\\\a.txt"', 'a.txt'],
    ['attachment; filename=".bashrc"', 'bashrc'],
    ['attachment; filename="invoice\u202Efdp.exe"', 'invoicefdp.exe'],
    ['attachment; filename="/"', 'x.png'],
    ['inline', 'x.png'],
  ])('%s gives %s', (header, want) => expect(named(header)).toBe(want));

  it.each([
    ['/mia/chart?size=9', 'image/png', 'chart.png'],
    ['/mia/chart/', 'image/jpeg; q=1', 'chart.jpg'],
    ['/mia/chart.svg', 'image/svg+xml', 'chart.svg'],
    ['/mia/v1.5', 'application/problem+json', 'v1.5.json'],
    ['/mia/gr%C3%BCn', 'text/plain', 'grün.txt'],
    ['/mia/a%2Fb', 'text/csv', 'b.csv'],
    ['/mia/feed', 'application/atom+xml', 'feed.xml'],
    ['/mia/100%', '', '100%.bin'],
    ['/', 'application/x-unknown', 'body.bin'],
  ])('%s of %s is saved as %s', (path, type, want) => expect(fileNameOf(answer(type ? { 'content-type': type } : {}, path))).toBe(want));
});

describe('what an answer is shown as', () => {
  it.each([
    ['image/png', true],
    ['IMAGE/SVG+XML; charset=utf-8', true],
    ['image/x-icon', false],
    ['text/html', false],
  ])('%s as a picture: %s', (type, want) => expect(isPicture(answer({ 'Content-Type': type }))).toBe(want));
  it('takes for text what has no zero byte and no other bytes', () => {
    expect(readable(answer({}, '/x', [{ text: 'a' }, { text: 'b' }]))).toBe('ab');
    expect(readable(answer({}, '/x', [{ text: 'a\0b' }]))).toBeUndefined();
    expect(readable(answer({}, '/x', [{ text: 'a' }, { b64: '/w==' }]))).toBeUndefined();
  });
});

describe('the first bytes', () => {
  it('are those of texts and of bytes, up to a bound', () => {
    const x = answer({}, '/x', [{ text: 'aü' }, { b64: '/wD+' }, { text: 'end' }]);
    expect([...firstBytes(x)]).toEqual([97, 0xc3, 0xbc, 0xff, 0, 0xfe, 101, 110, 100]);
    expect([...firstBytes(x, 2)]).toEqual([97, 0xc3]);
    expect([...firstBytes(x, 4)]).toEqual([97, 0xc3, 0xbc, 0xff]);
  });
  it('stand in rows of sixteen', () => {
    expect(hexLines(new Uint8Array(0))).toBe('');
    expect(hexLines(new TextEncoder().encode('0123456789abcdef\n<'))).toBe(
      '0000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef\n' + `0010  ${'0a 3c'.padEnd(48)}  .<`,
    );
  });
});
