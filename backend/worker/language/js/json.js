// JSON.parse of halves of surrogate pairs, which the engine's own turns into
// U+FFFD.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const native = JSON.parse;

  // marked gives the text with every unpaired surrogate, escaped or not, as a
  // mark, and the list of them; or nothing when there are none.
  const mark = text => {
    const small = text.toLowerCase();
    let code = 0xE000;
    while (small.includes(`\\u${code.toString(16)}`) || text.includes(String.fromCharCode(code))) code++;
    const sign = String.fromCharCode(code);
    const halves = [];
    const pairs = /\\(?:u([dD][89abAB][0-9a-fA-F]{2})(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u([dD][c-fC-F][0-9a-fA-F]{2})|[^])|([\ud800-\udfff])/g;
    let raw = -1;
    const out = text.replace(pairs, (all, high, low, single, bare, at) => {
      if (bare !== undefined) {
        const c = bare.charCodeAt(0), next = text.charCodeAt(at + 1);
        if (at === raw) return all;
        if (c < 0xDC00 && next >= 0xDC00 && next <= 0xDFFF) { raw = at + 1; return all; }
      } else if (high === undefined && single === undefined || low !== undefined) return all;
      halves.push(bare ?? String.fromCharCode(parseInt(high ?? single, 16)));
      return `${sign}${halves.length - 1};`;
    });
    return halves.length ? { out, sign, halves } : undefined;
  };

  hidden(JSON, 'parse', { parse(text, reviver) {
    text = `${text}`;
    const value = reviver === undefined ? native(text) : undefined;
    if (!$op.hasHalves(text)) return reviver === undefined ? value : native(text, reviver);
    native(text); // says where a mistake is
    const m = mark(text);
    if (!m) return reviver === undefined ? value : native(text, reviver);
    const back = s => s.split(m.sign).map((part, i) => {
      if (i === 0) return part;
      const end = part.indexOf(';');
      return m.halves[part.slice(0, end)] + part.slice(end + 1);
    }).join('');
    const restored = native(m.out, function (key, v) {
      if (typeof v === 'string') return v.includes(m.sign) ? back(v) : v;
      if (typeof v === 'object' && v !== null && !Array.isArray(v)) {
        const keys = Object.keys(v);
        if (keys.some(k => k.includes(m.sign))) {
          const entries = keys.map(k => [back(k), v[k]]);
          for (const k of keys) delete v[k];
          for (const [k, item] of entries) Object.defineProperty(v, k, { value: item, writable: true, enumerable: true, configurable: true });
        }
      }
      return v;
    });
    return typeof reviver === 'function' ? revive({ '': restored }, '', reviver) : restored;
  } }.parse);

  const revive = (holder, key, reviver) => {
    const value = holder[key];
    if (typeof value === 'object' && value !== null) {
      for (const k of Object.keys(value)) {
        const item = revive(value, k, reviver);
        if (item === undefined) delete value[k]; else value[k] = item;
      }
    }
    return reviver.call(holder, key, value);
  };
  return {};
})
