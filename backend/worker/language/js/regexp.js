// RegExp, which translates what the engine would read wrongly (package pattern)
// and refuses the rest. It stands in front of the engine's own, and literals
// have been translated when the script was compiled: a script that neither names
// it or a way to its constructor nor makes names at run time has no use for this.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { construct, apply } = Reflect;
  const { Native } = $module('regexpdoor');
  const { prototype } = Native;
  const nativeExec = prototype.exec, nativeCompile = prototype.compile, nativeToString = prototype.toString;
  const getter = name => getOwnPropertyDescriptor(prototype, name).get;
  const nativeSource = getter('source'), nativeFlags = getter('flags'), nativeUnicode = getter('unicode');
  const written = new WeakMap(); // of a translated one: what the author wrote
  const translations = new Map();

  const translate = (source, flags) => {
    const key = `${flags}/${source}`;
    let t = translations.get(key);
    if (t === undefined) {
      t = $op.translatePattern(source, flags);
      if (typeof t === 'string') throw new SyntaxError(`Invalid regular expression: /${source}/${flags}: ${t}`);
      translations.set(key, t);
    }
    return t;
  };

  // authorOf gives [source, flags] of a translated expression.
  const authorOf = re => {
    if (typeof re !== 'object' || re === null || re === prototype) return undefined;
    const own = written.get(re);
    if (own !== undefined) return own;
    let source;
    try { source = apply(nativeSource, re, []); } catch { return undefined; }
    const found = $op.authorPattern(source, engineFlags(re));
    if (found !== undefined) written.set(re, found);
    return found;
  };
  const letters = ['ignoreCase', 'i', 'global', 'g', 'multiline', 'm', 'dotAll', 's', 'unicode', 'u', 'sticky', 'y'];
  const getters = letters.map((name, i) => (i % 2 ? name : getter(name)));
  const sorted = flags => [...flags].sort().join('');
  const engineFlags = re => {
    let out = '';
    for (let i = 0; i < getters.length; i += 2) if (apply(getters[i], re, [])) out += getters[i + 1];
    return sorted(out);
  };

  // exec of an expression with the d flag.
  const execIndices = (native, flags) => function exec(text) {
    text = `${text}`;
    const match = apply(nativeExec, this, [text]);
    if (match === null) return match;
    const at = $op.patternIndices(native, flags, text, match.index);
    const indices = [];
    for (let i = 0; i < match.length; i++) {
      const pair = at[2 * i] < 0 ? undefined : [at[2 * i], at[2 * i + 1]];
      if (match[i] !== (pair && text.slice(pair[0], pair[1]))) {
        throw new SyntaxError('the d flag is not supported with this regular expression by the engine that runs js-v1 here');
      }
      indices[i] = pair;
    }
    let groups;
    if (match.groups !== undefined) {
      groups = Object.create(null);
      const names = $op.patternNames(native, flags);
      for (let i = 0; i < names.length; i += 2) groups[names[i]] = indices[names[i + 1]];
    }
    indices.groups = groups;
    match.indices = indices;
    return match;
  };

  const isRegExp = value => {
    if (typeof value !== 'object' || value === null) return false;
    const matcher = value[Symbol.match];
    if (matcher !== undefined) return !!matcher;
    return isNative(value);
  };
  const isNative = value => {
    if (value === prototype) return false;
    try { apply(nativeSource, value, []); return true; } catch { return false; }
  };

  function RegExp(pattern, flags) {
    const like = isRegExp(pattern);
    let target = new.target;
    if (target === undefined) {
      target = RegExp;
      if (like && flags === undefined && pattern.constructor === RegExp) return pattern;
    }
    let source = pattern;
    if (like || (typeof pattern === 'object' && pattern !== null && isNative(pattern))) {
      source = pattern.source;
      if (flags === undefined) flags = pattern.flags;
    }
    source = source === undefined ? '' : `${source}`;
    flags = flags === undefined ? '' : `${flags}`;
    const t = translate(source, flags);
    const re = construct(Native, [t[0], t[1]], target);
    if (t[2]) written.set(re, [source, sorted(flags)]);
    if (t[3]) hidden(re, 'exec', execIndices(t[0], t[1]));
    return re;
  }
  defineProperty(RegExp, 'prototype', { value: prototype, writable: false });
  for (const name of Object.getOwnPropertyNames(Native)) {
    if (name !== 'prototype' && name !== 'length' && name !== 'name') {
      defineProperty(RegExp, name, getOwnPropertyDescriptor(Native, name));
    }
  }
  defineProperty(RegExp, Symbol.species, { get() { return this; }, configurable: true });
  hidden(prototype, 'constructor', RegExp);
  hidden(RegExp, 'escape', { escape(text) {
    if (typeof text !== 'string') throw new TypeError('RegExp.escape needs a string');
    let out = '';
    for (const c of text) {
      const n = c.codePointAt(0);
      const control = '\t\n\v\f\r'.indexOf(c);
      if (out === '' && /[0-9A-Za-z]/.test(c)) out += `\\x${n.toString(16)}`;
      else if (/[\^$\\.*+?()[\]{}|/]/.test(c)) out += `\\${c}`;
      else if (control >= 0) out += `\\${'tnvfr'[control]}`;
      else if (",-=<>#&!%:;@~'`\"".includes(c)) out += `\\x${n.toString(16)}`;
      else if (n >= 0xD800 && n <= 0xDFFF || /\s/.test(c)) {
        out += n < 0x100 ? `\\x${n.toString(16).padStart(2, '0')}` : `\\u${n.toString(16).padStart(4, '0')}`;
      } else out += c;
    }
    return out;
  } }.escape);

  const getterOf = (name, get) => defineProperty(prototype, name, { get, enumerable: false, configurable: true });
  const escaped = source => source === '' ? '(?:)' : source.replace(/\n/g, '\\n').replace(/\r/g, '\\r');
  getterOf('source', function () {
    const was = authorOf(this);
    return was ? escaped(was[0]) : apply(nativeSource, this, []);
  });
  getterOf('flags', function () {
    const was = authorOf(this);
    return was ? was[1] : apply(nativeFlags, this, []);
  });
  const flagOf = letter => function () {
    if (this === prototype) return undefined;
    if (!isNative(this)) throw new TypeError('this is not a RegExp');
    const was = authorOf(this);
    return was !== undefined && was[1].includes(letter);
  };
  getterOf('hasIndices', flagOf('d'));
  getterOf('unicodeSets', flagOf('v'));
  getterOf('unicode', function () {
    // The engine asks this to know how far an empty match goes on: v is like u.
    return apply(nativeUnicode, this, []);
  });
  hidden(prototype, 'toString', { toString() {
    return authorOf(this) ? `/${this.source}/${this.flags}` : apply(nativeToString, this, []);
  } }.toString);
  hidden(prototype, 'compile', { compile(pattern, flags) {
    if (isNative(pattern)) {
      if (flags !== undefined) throw new TypeError('flags must be undefined when the pattern is a RegExp');
      flags = pattern.flags;
      pattern = pattern.source;
    }
    const t = translate(pattern === undefined ? '' : `${pattern}`, flags === undefined ? '' : `${flags}`);
    if (t[2] || authorOf(this)) throw new TypeError('compile() is not supported with this regular expression: make a new RegExp');
    return apply(nativeCompile, this, [t[0], t[1]]);
  } }.compile);
  hidden(globalThis, 'RegExp', RegExp);
  return { RegExp };
})
