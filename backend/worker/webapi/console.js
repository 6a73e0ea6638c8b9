// console: every level ends in the run's log, and counts there.
(function ($op, $module) {
  'use strict';
  const { log } = $module('log');
  const now = Date.now;
  const counts = new Map(), timers = new Map();
  let indent = '';
  const shown = value => {
    if (typeof value === 'string') return value;
    try {
      return $op.inspect(value);
    } catch {
      return '[a value that cannot be shown]';
    }
  };
  const numeric = (value, read) => (typeof value === 'symbol' ? 'NaN' : typeof value === 'bigint' ? `${value}n` : `${read(value)}`);

  // text is the Console standard's formatter: %s %d %i %f %o %O %j %c in the
  // first argument take those after it.
  const text = values => {
    const [first, ...rest] = values;
    let out = [];
    if (typeof first === 'string' && rest.length > 0 && first.includes('%')) {
      out.push(first.replace(/%[sdifoOjc%]/g, place => {
        if (place === '%%') return '%';
        if (rest.length === 0) return place;
        const value = rest.shift();
        switch (place[1]) {
          case 's': return typeof value === 'symbol' ? String(value) : shown(value);
          case 'd': case 'i': return numeric(value, v => parseInt(v, 10));
          case 'f': return numeric(value, parseFloat);
          case 'c': return '';
        }
        return typeof value === 'string' ? JSON.stringify(value) : shown(value);
      }));
    } else if (values.length > 0) out.push(shown(first));
    for (const value of rest) out.push(shown(value));
    out = out.join(' ');
    return indent === '' ? out : indent + out.replace(/\n/g, `\n${indent}`);
  };
  const at = level => (...values) => { log[level](text(values)); };
  const say = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const named = label => (label === undefined ? 'default' : `${label}`);

  // table writes rows of an array or object below each other.
  const table = (data, only) => {
    if (typeof data !== 'object' || data === null) { say.info(data); return; }
    const columns = ['(index)'], rows = [];
    const column = name => {
      let i = columns.indexOf(name, 1);
      if (i < 0) i = columns.push(name) - 1;
      return i;
    };
    if (only !== undefined) for (const name of only) column(`${name}`);
    const plain = [];
    const pairs = data instanceof Map ? [...data] : data instanceof Set ? [...data].map((v, i) => [i, v]) : Object.entries(data);
    for (const [index, value] of pairs) {
      const row = [shown(index)];
      if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) if (only === undefined || columns.includes(key, 1)) row[column(key)] = shown(value[key]);
      } else plain.push([row, shown(value)]);
      rows.push(row);
    }
    if (plain.length > 0) {
      const i = columns.push('Values') - 1;
      for (const [row, value] of plain) row[i] = value;
    }
    const wide = columns.map((name, i) => rows.reduce((n, row) => Math.max(n, (row[i] || '').length), name.length));
    const line = cells => columns.map((_, i) => (cells[i] || '').padEnd(wide[i])).join(' | ').trimEnd();
    say.info([line(columns), wide.map(n => '-'.repeat(n)).join('-|-'), ...rows.map(line)].join('\n'));
  };
  const passed = label => {
    if (timers.has(label)) return `${label}: ${now() - timers.get(label)}ms`;
    say.warn(`There is no timer called ${label}`);
  };

  const console = {
    log: say.info, info: say.info, debug: say.debug, warn: say.warn, error: say.error, dirxml: say.info,
    dir: value => { say.info(value); },
    table: (data, only) => { table(data, only); },
    trace: (...values) => {
      const frames = [];
      for (const line of `${new Error().stack}`.split('\n').slice(1)) {
        const place = /^\s*at (.*?)\(?([^\s()]+):(\d+):(\d+)(?:\(\d+\))?\)?$/.exec(line);
        if (place && !/sandbox:|</.test(place[2])) frames.push(`at ${place[1]}(${place[2]}:${place[3]}:${+place[4] + 1})`);
      }
      say.debug([`Trace${values.length > 0 ? `: ${text(values).trimStart()}` : ''}`, ...frames.map(f => `  ${f}`)].join('\n'));
    },
    assert: (good, ...rest) => {
      if (good) return;
      if (typeof rest[0] === 'string') rest[0] = `Assertion failed: ${rest[0]}`;
      else rest.unshift('Assertion failed');
      say.error(...rest);
    },
    clear: () => {},
    count: label => {
      const of = named(label), n = (counts.get(of) || 0) + 1;
      counts.set(of, n);
      say.info(`${of}: ${n}`);
    },
    countReset: label => {
      if (!counts.delete(named(label))) say.warn(`There is no count called ${named(label)}`);
    },
    group: (...values) => {
      if (values.length > 0) say.info(...values);
      if (indent.length < 64) indent += '  ';
    },
    groupEnd: () => { indent = indent.slice(2); },
    time: label => {
      const of = named(label);
      if (timers.has(of)) say.warn(`There is a timer called ${of} already`);
      else timers.set(of, now());
    },
    timeLog: (label, ...values) => {
      const line = passed(named(label));
      if (line !== undefined) say.info(line, ...values);
    },
    timeEnd: label => {
      const line = passed(named(label));
      if (line === undefined) return;
      say.info(line);
      timers.delete(named(label));
    },
  };
  console.groupCollapsed = console.group;
  Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
  return { console };
})
