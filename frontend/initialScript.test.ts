import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { initialParts, sentBytes, tooLarge, type Part } from './initialScript';

/** Text that gzip cannot make much smaller. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64').slice(0, bytes);

const part = (fileName: string, bytes: number, imports: string[] = [], isEntry = false): Part => ({ fileName, code: noise(bytes), imports, isEntry });

describe('the page begins with', () => {
  const page = [
    part('index.js', 4_000, ['shared.js', 'react.js'], true),
    part('shared.js', 2_000, ['react.js', 'index.js']),
    part('react.js', 6_000),
    part('editor.js', 90_000, ['shared.js']),
  ];

  it('its entry and all that this imports, and not with what comes later', () => {
    expect(initialParts(page).map((p) => p.fileName)).toEqual(['index.js', 'shared.js', 'react.js']);
  });

  it('what the entry loads behind the language', () => {
    const start = { ...part('start-1.js', 3_000, ['tables.js']), name: 'start' };
    expect(initialParts([...page, start, part('tables.js', 1_000)]).map((p) => p.fileName)).toEqual(['index.js', 'shared.js', 'react.js', 'start-1.js', 'tables.js']);
  });

  it('no more than the limit', () => {
    const bytes = sentBytes(initialParts(page));
    expect(tooLarge(page, bytes)).toBeUndefined();
    expect(tooLarge(page, bytes - 1)).toContain('react.js');
  });

  it('something that can be measured', () => {
    expect(tooLarge(page.slice(1), 1e9)).toContain('no entry');
  });
});
