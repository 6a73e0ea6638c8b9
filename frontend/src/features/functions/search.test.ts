import { expect, it } from 'vitest';
import { hitsIn, mostHits } from './search';

const text = '\ufeffconst A = "kv.get";\r\n  a.b(a*c); // \u0130a\r\n';

it.each<[string, boolean, [number, number][]]>([
  ['a', true, [[2, 3], [2, 7], [2, 17]]],
  ['A', false, [[1, 7], [2, 3], [2, 7], [2, 17]]],
  ['a*c', false, [[2, 7]]],
  ['v.g', true, [[1, 13]]],
  ['get";\r', true, []],
  ['', true, []],
])('finds %j', (wanted, exact, places) => expect(hitsIn(text, wanted, exact).map((h) => [h.line, h.column])).toEqual(places));

it('gives the line around it, and of a long one a part', () => {
  expect(hitsIn(text, 'b(', true)[0]).toEqual({ line: 2, column: 5, before: 'a.', found: 'b(', after: 'a*c); // \u0130a' });
  const long = hitsIn(`${'x'.repeat(500)}needle${'y'.repeat(500)}`, 'needle', true)[0]!;
  expect(long.before.length + long.after.length).toBeLessThan(200);
  expect(hitsIn('a'.repeat(9_000), 'a', true)).toHaveLength(mostHits);
});
