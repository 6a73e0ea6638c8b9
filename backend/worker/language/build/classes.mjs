// Writes ../pattern/testdata/classes.json: what V8 matches with expressions of
// one class, as [source, flags, "first length gap length …"].
import { writeFileSync } from 'node:fs';

import './newer.mjs';

const points = Array.from({ length: 0x110000 }, (_, c) => String.fromCodePoint(c));
const classes = String.raw`\p{L} \P{L} [\p{L}] [^\p{L}] [^\P{L}] \p{Lu} \P{Lu} [^\p{Lu}] [^\P{Lu}] [\P{Lu}a] \p{Ll} \P{Ll} [^\p{Ll}] \p{Lt} \p{Nd} \P{Nd}
\p{Script=Greek} \P{Script=Greek} [^\p{Script=Greek}] \p{scx=Deva} \p{Script=Common} \p{Emoji} \p{Extended_Pictographic} \p{ID_Start} \p{White_Space}
\p{Any} \P{Any} \p{ASCII} \P{ASCII} \p{Cased} \p{Changes_When_Lowercased} \p{Cn} \p{Cs} \w \W [\w] [^\w] [\W] [^\W] [^k] [k] [^ſ] [a-z] [^a-z]
[\u{10400}-\u{10427}] [^\u{10400}] [µ] [ß] [^ẞ] [Σ] [^σς] [İ] [ı] [\p{L}\d_] [^\p{L}\d_] [\p{L}\P{L}] [^\p{L}\P{L}] [^] []`.split(/\s+/);
const sets = String.raw`[\p{L}--\p{Lu}] [\p{L}&&\p{ASCII}] [^\p{L}&&\p{ASCII}] [[a-z]--[aeiou]] [\p{Lu}--[A-Z]] [^[\p{Lu}]] [\P{Lu}&&\p{L}] [\w--\d] [^\w--[k]] [\q{a|b|K}] [[^a-z]&&\p{ASCII}]`.split(/\s+/);

const out = [];
const add = (source, flags) => {
  // V8 does not fold ASCII before it negates it, as the standard would have it.
  if (source.includes('ASCII') && /\^|P/.test(source) && flags === 'iv') return;
  const re = new RegExp(`^${source}$`, flags);
  const ranges = [];
  let end = 0, start = -1;
  for (let c = 0; c <= 0x110000; c++) {
    const inside = c < 0x110000 && re.test(points[c]);
    if (inside && start < 0) start = c;
    if (!inside && start >= 0) {
      ranges.push((start - end).toString(36), (c - start).toString(36));
      end = c;
      start = -1;
    }
  }
  out.push([source, flags, ranges.join(' ')]);
};
for (const source of classes) for (const flags of ['u', 'iu', 'v', 'iv']) add(source, flags);
for (const source of sets) for (const flags of ['v', 'iv']) add(source, flags);
writeFileSync(new URL('../pattern/testdata/classes.json', import.meta.url), `[\n${out.map(row => JSON.stringify(row)).join(',\n')}\n]\n`);
