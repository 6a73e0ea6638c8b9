import { describe, expect, it } from 'vitest';
import { Layout } from './layout';

describe('Layout', () => {
  it('agrees with a look at every row', () => {
    const open = [
      { index: 7, extra: 45 },
      { index: 2, extra: 100 },
      { index: 3, extra: 0 },
      { index: 99, extra: 10 },
    ];
    const layout = new Layout(12, 10, open);
    const heights = Array.from({ length: 12 }, (_, i) => 10 + (open.find((o) => o.index === i)?.extra ?? 0));
    const tops = heights.map((_, i) => heights.slice(0, i).reduce((a, b) => a + b, 0));
    expect(layout.total).toBe(heights.reduce((a, b) => a + b, 0));
    expect(tops.map((_, i) => layout.top(i))).toEqual(tops);
    for (let y = 0; y < layout.total; y++) {
      const want = tops.findLastIndex((top) => top <= y);
      expect(layout.at(y), `at ${y}`).toBe(want);
    }
  });
  it('stays within the list', () => {
    const layout = new Layout(5, 10);
    expect(layout.at(-20)).toBe(0);
    expect(layout.at(1000)).toBe(4);
    expect(layout.range(0, 1000, 3)).toEqual([0, 5]);
    expect(new Layout(0, 10).range(0, 100, 3)).toEqual([0, 0]);
  });
  it('does not look at every row', () => {
    const layout = new Layout(1_000_000, 30, [{ index: 500_000, extra: 300 }]);
    expect(layout.top(999_999)).toBe(999_999 * 30 + 300);
    expect(layout.at(500_000 * 30 + 200)).toBe(500_000);
  });
});
