// Writes ../pattern/properties.gz: the code points of every property that a
// regular expression of ECMAScript may name, asked of V8 (Node), which is the
// engine of the hosted platform. One line each:
//
//	kind name alias alias|first length gap length gap …   (base 36)
//
// kind is b (binary), gc, sc or scx; the gaps count from the end of the range
// before. A fold line lists code points that simple case folding makes the same.
// The Unicode version of the Node that ran this is the first line.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import aliasesOfBinary from 'unicode-property-aliases-ecmascript';
import values from 'unicode-property-value-aliases-ecmascript';
import canonical from 'unicode-canonical-property-names-ecmascript';

import './newer.mjs';

const points = Array.from({ length: 0x110000 }, (_, c) => String.fromCodePoint(c));

const rangesOf = expression => {
  let re;
  try { re = new RegExp(`^${expression}$`, 'u'); } catch { return undefined; }
  const out = [];
  let end = 0, start = -1;
  for (let c = 0; c <= 0x110000; c++) {
    const inside = c < 0x110000 && re.test(points[c]);
    if (inside && start < 0) start = c;
    if (!inside && start >= 0) {
      out.push((start - end).toString(36), (c - start).toString(36));
      end = c;
      start = -1;
    }
  }
  return out.join(' ');
};

const lines = [process.versions.unicode];
const write = (kind, expression, names) => {
  const ranges = rangesOf(expression);
  if (ranges === undefined) return;
  const known = [...new Set(names)].filter(name => {
    try { return new RegExp(`\\p{${expression.slice(3, -1).replace(/[^=]+$/, name)}}`, 'u') } catch { return false; }
  });
  lines.push(`${kind} ${known.join(' ')}|${ranges}`);
};

const grouped = map => {
  const names = new Map();
  for (const [alias, name] of map) names.set(name, [...(names.get(name) ?? [name]), alias]);
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1));
};

const binary = [...(canonical.default ?? canonical)].filter(name => !['General_Category', 'Script', 'Script_Extensions'].includes(name));
const short = new Map();
for (const [alias, name] of aliasesOfBinary) short.set(name, [...(short.get(name) ?? []), alias]);
for (const name of binary.sort()) write('b', `\\p{${name}}`, [name, ...(short.get(name) ?? [])]);
for (const [name, names] of grouped(values.get('General_Category'))) write('gc', `\\p{gc=${name}}`, names);
for (const [name, names] of grouped(values.get('Script'))) {
  write('sc', `\\p{sc=${name}}`, names);
  write('scx', `\\p{scx=${name}}`, names);
}

// fold lines list the code points that are the same without regard to case.
const groupOf = new Map();
for (let c = 0; c < 0x110000; c++) {
  if (c >= 0xD800 && c <= 0xDFFF) continue;
  const near = new Set();
  for (const way of [s => s.toLowerCase(), s => s.toUpperCase(), s => s.toUpperCase().toLowerCase(), s => s.toLowerCase().toUpperCase()]) {
    const other = way(points[c]);
    if ([...other].length === 1) near.add(other.codePointAt(0));
  }
  near.delete(c);
  for (const d of near) {
    if (!new RegExp(`^\\u{${c.toString(16)}}$`, 'iu').test(points[d])) continue;
    const all = new Set([c, d, ...(groupOf.get(c) ?? []), ...(groupOf.get(d) ?? [])]);
    for (const member of all) groupOf.set(member, all);
  }
}
const folds = [...new Set(groupOf.values())].map(all => [...all].sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
for (const all of folds) lines.push(`fold |${all.map(c => c.toString(36)).join(' ')}`);

const bytes = gzipSync(lines.join('\n'), { level: 9 });
bytes[9] = 255; // the system that wrote it does not matter
writeFileSync(new URL('../pattern/properties.gz', import.meta.url), bytes);
