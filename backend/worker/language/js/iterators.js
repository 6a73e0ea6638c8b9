// Iterator and the methods that every iterator of the engine inherits.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const { create, defineProperty, getPrototypeOf } = Object;
  const prototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));

  const objectOf = value => {
    if (typeof value !== 'object' && typeof value !== 'function' || value === null) throw new TypeError(`${String(value)} is not an object`);
    return value;
  };
  const close = iterator => {
    const back = iterator.return;
    if (back !== undefined && back !== null) objectOf(back.call(iterator));
  };
  // closing closes the iterator when f throws, and lets f's error through.
  const closing = (iterator, f) => {
    try { return f(); } catch (e) {
      try { close(iterator); } catch {}
      throw e;
    }
  };
  const callable = (iterator, f) => closing(objectOf(iterator), () => {
    if (typeof f !== 'function') throw new TypeError(`${typeof f} is not a function`);
  });
  // direct reads next once, as the standard does.
  const direct = iterator => ({ iterator, next: iterator.next });
  const step = from => {
    const result = objectOf(from.next.call(from.iterator));
    return result.done ? undefined : result;
  };

  // A helper is what map, take and the others give.
  const state = new WeakMap();
  const helperPrototype = create(prototype);
  const helper = (from, advance) => {
    const h = create(helperPrototype);
    state.set(h, { from, advance, done: false, busy: false, inner: undefined });
    return h;
  };
  const stateOf = h => {
    const s = state.get(h);
    if (!s) throw new TypeError('this is not an iterator helper');
    if (s.busy) throw new TypeError('the iterator helper is already running');
    return s;
  };
  hidden(helperPrototype, 'next', { next() {
    const s = stateOf(this);
    if (s.done) return { value: undefined, done: true };
    s.busy = true;
    try {
      const result = s.advance(s);
      if (result === undefined) { s.done = true; return { value: undefined, done: true }; }
      return { value: result.value, done: false };
    } catch (e) {
      s.done = true;
      throw e;
    } finally { s.busy = false; }
  } }.next);
  hidden(helperPrototype, 'return', { return() {
    const s = stateOf(this);
    if (!s.done) {
      s.done = true;
      if (s.inner) {
        try { close(s.inner.iterator); } catch (e) {
          try { close(s.from.iterator); } catch {}
          throw e;
        }
      }
      close(s.from.iterator);
    }
    return { value: undefined, done: true };
  } }.return);
  defineProperty(helperPrototype, Symbol.toStringTag, { value: 'Iterator Helper', configurable: true });

  const count = (iterator, limit) => closing(objectOf(iterator), () => {
    const n = Number(limit);
    if (n !== n) throw new RangeError(`${String(limit)} is not a number`);
    const whole = Math.trunc(n);
    if (whole < 0) throw new RangeError(`${whole} is negative`);
    return whole;
  });
  // flattable gives the iterator of what a flatMap's function, or Iterator.from, got.
  const flattable = (value, strings) => {
    if (!(strings && typeof value === 'string')) objectOf(value);
    const method = value[Symbol.iterator];
    return direct(objectOf(method === undefined || method === null ? value : method.call(value)));
  };

  const methods = {
    map(f) {
      callable(this, f);
      let i = 0;
      return helper(direct(this), s => {
        const r = step(s.from);
        return r && closing(s.from.iterator, () => ({ value: f(r.value, i++) }));
      });
    },
    filter(f) {
      callable(this, f);
      let i = 0;
      return helper(direct(this), s => {
        for (let r = step(s.from); r; r = step(s.from)) {
          const { value } = r;
          if (closing(s.from.iterator, () => f(value, i++))) return { value };
        }
        return undefined;
      });
    },
    take(limit) {
      let left = count(this, limit);
      return helper(direct(this), s => {
        if (left <= 0) { close(s.from.iterator); return undefined; }
        left--;
        return step(s.from);
      });
    },
    drop(limit) {
      let left = count(this, limit);
      return helper(direct(this), s => {
        for (; left > 0; left--) if (!step(s.from)) return undefined;
        return step(s.from);
      });
    },
    flatMap(f) {
      callable(this, f);
      let i = 0;
      return helper(direct(this), s => {
        for (;;) {
          if (!s.inner) {
            const r = step(s.from);
            if (!r) return undefined;
            closing(s.from.iterator, () => { s.inner = flattable(f(r.value, i++), false); });
          }
          const r = closing(s.from.iterator, () => step(s.inner));
          if (r) return closing(s.from.iterator, () => ({ value: r.value }));
          s.inner = undefined;
        }
      });
    },
    reduce(f, ...initial) {
      callable(this, f);
      const from = direct(this);
      let i = 0, sum = initial[0];
      if (initial.length === 0) {
        const first = step(from);
        if (!first) throw new TypeError('reduce of an empty iterator needs an initial value');
        sum = first.value;
        i = 1;
      }
      for (let r = step(from); r; r = step(from)) sum = closing(this, () => f(sum, r.value, i++));
      return sum;
    },
    toArray() {
      const from = direct(objectOf(this));
      const out = [];
      for (let r = step(from); r; r = step(from)) out.push(r.value);
      return out;
    },
    forEach(f) {
      callable(this, f);
      const from = direct(this);
      let i = 0;
      for (let r = step(from); r; r = step(from)) closing(this, () => f(r.value, i++));
    },
    some(f) { return search(this, f, found => found, false, () => true); },
    every(f) { return search(this, f, found => !found, true, () => false); },
    find(f) { return search(this, f, found => found, undefined, value => value); },
  };
  // search ends at the first item for which stop holds.
  const search = (iterator, f, stop, otherwise, answer) => {
    callable(iterator, f);
    const from = direct(iterator);
    let i = 0;
    for (let r = step(from); r; r = step(from)) {
      const { value } = r;
      if (stop(closing(iterator, () => f(value, i++)))) {
        close(iterator);
        return answer(value);
      }
    }
    return otherwise;
  };
  for (const name of Object.keys(methods)) hidden(prototype, name, methods[name]);

  function Iterator() {
    if (new.target === undefined || new.target === Iterator) throw new TypeError('Iterator is abstract: extend it');
  }
  defineProperty(Iterator, 'prototype', { value: prototype, writable: false });
  const wrapped = create(prototype);
  const wraps = new WeakMap();
  hidden(wrapped, 'next', { next() { const from = wraps.get(this); return from.next.call(from.iterator); } }.next);
  hidden(wrapped, 'return', { return() {
    const { iterator } = wraps.get(this);
    const back = iterator.return;
    return back === undefined || back === null ? { value: undefined, done: true } : back.call(iterator);
  } }.return);
  hidden(Iterator, 'from', { from(value) {
    const from = flattable(value, true);
    if (prototype.isPrototypeOf(from.iterator)) return from.iterator;
    const w = create(wrapped);
    wraps.set(w, from);
    return w;
  } }.from);
  hidden(prototype, 'constructor', Iterator);
  defineProperty(prototype, Symbol.toStringTag, { value: 'Iterator', writable: true, configurable: true });
  return { Iterator };
})
