import { describe, expect, it } from 'vitest';
import { around, moved, placed, spanOf, ticks, tickText, zoomed, type Span } from './scale';

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

it.each<[Span, string[]]>([
  [{ from: 0, to: 9e6 }, ['0 s', '2 s', '4 s', '6 s', '8 s']],
  [{ from: 0, to: 200_000 }, ['0 ms', '50 ms', '100 ms', '150 ms', '200 ms']],
  [{ from: 100, to: 1_100 }, ['0.2 ms', '0.4 ms', '0.6 ms', '0.8 ms', '1.0 ms']],
  [{ from: 4_270_000, to: 4_270_045 }, ['4.27000 s', '4.27001 s', '4.27002 s', '4.27003 s', '4.27004 s']],
])('no two ticks of %j read the same', (view, want) => {
  const at = ticks(view);
  expect(at.map((t) => tickText(t, at[1]! - at[0]!, view))).toEqual(want);
});

it('a call of no time beside a long one can be looked at', () => {
  const long = { from: 0, to: 9e6 };
  expect(around(4e6, 0, long)).toEqual({ from: 4e6 - 10, to: 4e6 + 10 });
  expect(around(0, 300, long)).toEqual({ from: 0, to: 450 });
  expect(around(0, 9e6, long)).toEqual(long);
});

it('a span holds what a run did after its end', () => {
  expect(spanOf([{ kind: 'host', name: 'x', startUs: 900, durationUs: 400 }], 1)).toEqual({ from: 0, to: 1300 });
  expect(spanOf([], 0).to).toBeGreaterThan(0);
});
