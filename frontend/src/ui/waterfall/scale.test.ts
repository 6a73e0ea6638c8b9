import { describe, expect, it } from 'vitest';
import { moved, placed, spanOf, ticks, zoomed } from './scale';

const whole = { from: 0, to: 1000 };

describe('zoomed', () => {
  it('keeps the point that is looked at', () => expect(zoomed(whole, whole, 0.5, 0.25)).toEqual({ from: 125, to: 625 }));
  it('stays inside', () => expect(zoomed({ from: 900, to: 1000 }, whole, 4, 1)).toEqual({ from: 600, to: 1000 }));
  it('never shows more than there is', () => expect(zoomed({ from: 10, to: 900 }, whole, 9)).toEqual(whole));
  it('ends where nothing is left to see', () => {
    const view = zoomed(whole, whole, 0.00001);
    expect(view.to - view.from).toBe(20);
  });
});

it('moved stays inside', () => {
  expect(moved({ from: 0, to: 100 }, whole, 0.5)).toEqual({ from: 50, to: 150 });
  expect(moved({ from: 950, to: 1000 }, whole, 2)).toEqual({ from: 950, to: 1000 });
});

describe('placed', () => {
  it.each([
    [100, 100, { left: 10, width: 10 }],
    [-50, 100, { left: 0, width: 5 }],
    [990, 100, { left: 99, width: 1 }],
    [500, 0, { left: 50, width: 0 }],
  ])('%d for %d', (start, took, want) => expect(placed(start, took, whole)).toEqual(want));
  it('is nowhere outside', () => expect(placed(2000, 1, whole)).toBeUndefined());
});

it('ticks are round and inside', () => {
  expect(ticks(whole)).toEqual([0, 200, 400, 600, 800, 1000]);
  expect(ticks({ from: 130, to: 190 })).toEqual([140, 160, 180]);
});

it('a span holds what a run did after its end', () => {
  expect(spanOf([{ kind: 'host', name: 'x', startUs: 900, durationUs: 400 }], 1)).toEqual({ from: 0, to: 1300 });
  expect(spanOf([], 0).to).toBeGreaterThan(0);
});
