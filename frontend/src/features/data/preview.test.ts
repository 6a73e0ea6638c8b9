import { describe, expect, it } from 'vitest';
import { previewKind, textOf } from './preview';

describe('preview', () => {
  it.each([
    ['image/png', 'image'],
    ['image/svg+xml', 'text'],
    ['text/html; charset=utf-8', 'text'],
    ['Application/JSON', 'json'],
    ['application/ld+json', 'json'],
    ['application/pdf', 'none'],
    ['application/octet-stream', 'none'],
    ['', 'none'],
  ])('%s is shown as %s', (type, kind) => expect(previewKind(type)).toBe(kind));
  it('tells text from other bytes', () => {
    const bytes = (...list: number[]) => new Uint8Array(list).buffer;
    expect(textOf(new TextEncoder().encode('grün 😀').buffer)).toBe('grün 😀');
    expect(textOf(bytes(65, 0xc3))).toBe('A'); // cut inside a character
    expect(textOf(bytes(0xff, 65))).toBeUndefined();
    expect(textOf(bytes(65, 0, 66))).toBeUndefined();
    expect(textOf(bytes())).toBe('');
  });
});
