import { describe, expect, it } from 'vitest';
import { hunks, mergeLines } from './merge';

const base = 'a\nb\nc\nd\ne';

describe('mergeLines', () => {
  it.each<[string, string, string, string]>([
    ['changes in different places', 'A\nb\nc\nd\ne', 'a\nb\nc\nd\nE', 'A\nb\nc\nd\nE'],
    ['only mine', 'a\nB\nc\nd\ne', base, 'a\nB\nc\nd\ne'],
    ['only theirs', base, 'a\nb\nc\nd', 'a\nb\nc\nd'],
    ['the same change twice', 'a\nX\nc\nd\ne', 'a\nX\nc\nd\ne', 'a\nX\nc\nd\ne'],
    ['an insertion and a removal apart', 'a\nnew\nb\nc\nd\ne', 'a\nb\nc\nd', 'a\nnew\nb\nc\nd'],
    ['nothing', base, base, base],
  ])('combines %s', (_, mine, theirs, want) => {
    expect(mergeLines(base, mine, theirs)).toEqual({ text: want, clashes: [] });
  });

  it('keeps both where both changed the same line', () => {
    const { text, clashes } = mergeLines(base, 'a\nb\nMINE\nd\ne', 'a\nb\nTHEIRS\nd\ne');
    expect(text).toBe('a\nb\n<<<<<<< mine\nMINE\n=======\nTHEIRS\n>>>>>>> on disk\nd\ne');
    expect(clashes).toEqual([{ mine: ['MINE'], theirs: ['THEIRS'] }]);
  });

  it('keeps both of two insertions at one place', () => {
    const { text, clashes } = mergeLines(base, 'a\nmine\nb\nc\nd\ne', 'a\ntheirs\nb\nc\nd\ne');
    expect(clashes).toHaveLength(1);
    expect(text).toContain('mine');
    expect(text).toContain('theirs');
  });

  it('keeps a changed line that the other side removed', () => {
    const { text, clashes } = mergeLines(base, 'a\nb\nCHANGED\nd\ne', 'a\nb\nd\ne');
    expect(clashes).toHaveLength(1);
    expect(text).toContain('CHANGED');
  });

  it('keeps everything without a common base', () => {
    const { text, clashes } = mergeLines('', 'mine', 'theirs');
    expect(clashes).toHaveLength(1);
    expect(text).toContain('mine');
    expect(text).toContain('theirs');
  });

  it('never loses a new line of either side', () => {
    const random = numbers(42);
    for (let round = 0; round < 400; round++) {
      const lines = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) => `l${Math.floor(random() * 4)}-${i}`);
      const mine = scramble(lines, random, 'm');
      const theirs = scramble(lines, random, 't');
      const { text, clashes } = mergeLines(lines.join('\n'), mine.join('\n'), theirs.join('\n'));
      const out = text.split('\n');
      for (const line of [...mine, ...theirs].filter((l) => !lines.includes(l))) expect(out).toContain(line);
      // What neither side touched is there once, and what both kept is kept.
      for (const line of lines.filter((l) => mine.includes(l) && theirs.includes(l))) expect(out).toContain(line);
      if (mine.join('\n') === lines.join('\n')) expect(text).toBe(theirs.join('\n'));
      if (theirs.join('\n') === lines.join('\n')) expect(text).toBe(mine.join('\n'));
      if (clashes.length === 0) expect(text).not.toContain('<<<<<<<');
    }
  });
});

describe('hunks', () => {
  it('rebuilds the second text from the first', () => {
    const random = numbers(7);
    for (let round = 0; round < 400; round++) {
      const a = Array.from({ length: Math.floor(random() * 15) }, () => String(Math.floor(random() * 4)));
      const b = scramble(a, random, 'n');
      let at = 0;
      const out: string[] = [];
      for (const h of hunks(a, b)) {
        out.push(...a.slice(at, h.from), ...h.lines);
        at = h.to;
      }
      expect([...out, ...a.slice(at)]).toEqual(b);
    }
  });
});

/** Repeatable numbers between 0 and 1. */
function numbers(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s * 1_103_515_245 + 12_345) % 2_147_483_648;
    return s / 2_147_483_648;
  };
}

function scramble(lines: string[], random: () => number, mark: string): string[] {
  return lines.flatMap((line, i) => {
    const r = random();
    if (r < 0.12) return [];
    if (r < 0.24) return [`${mark}${i}`];
    if (r < 0.36) return [line, `${mark}+${i}`];
    return [line];
  });
}
