// Methods that constructors of the engine lack.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const callable = f => {
    if (typeof f !== 'function') throw new TypeError(`${typeof f} is not a function`);
  };
  const add = (target, methods) => {
    for (const name of Object.keys(methods)) if (!(name in target)) hidden(target, name, methods[name]);
  };

  // grouped calls put(key, value) for each item.
  const grouped = (items, keyOf, put) => {
    if (items === undefined || items === null) throw new TypeError('the items to group are missing');
    callable(keyOf);
    let i = 0;
    for (const item of items) put(keyOf(item, i++), item);
  };
  add(Object, {
    groupBy(items, keyOf) {
      const groups = new Map();
      grouped(items, keyOf, (key, item) => {
        const name = typeof key === 'symbol' ? key : `${key}`;
        const group = groups.get(name);
        if (group) group.push(item); else groups.set(name, [item]);
      });
      const out = Object.create(null);
      for (const [name, group] of groups) out[name] = group;
      return out;
    },
  });
  add(Map, {
    groupBy(items, keyOf) {
      const groups = new Map();
      grouped(items, keyOf, (key, item) => {
        const group = groups.get(key);
        if (group) group.push(item); else groups.set(key, [item]);
      });
      return groups;
    },
  });
  add(Promise, {
    withResolvers() {
      let resolve, reject;
      const promise = new this((yes, no) => { resolve = yes; reject = no; });
      return { promise, resolve, reject };
    },
    try(f, ...args) {
      return new this(resolve => resolve(f(...args)));
    },
  });

  add(Array, {
    fromAsync(items, map, self) {
      const Of = typeof this === 'function' ? this : undefined;
      return (async () => {
        if (map !== undefined) callable(map);
        const asyncOf = Symbol.asyncIterator && items[Symbol.asyncIterator];
        const syncOf = items[Symbol.iterator];
        const put = (target, i, value) =>
          Object.defineProperty(target, i, { value, writable: true, enumerable: true, configurable: true });
        let i = 0;
        if (asyncOf === undefined && syncOf === undefined || asyncOf === null && syncOf === null) {
          const length = Math.max(0, Math.min(Math.trunc(Number(items.length)) || 0, Number.MAX_SAFE_INTEGER));
          const out = Of ? new Of(length) : new Array(length);
          for (; i < length; i++) {
            let value = await items[i];
            if (map) value = await map.call(self, value, i);
            put(out, i, value);
          }
          out.length = length;
          return out;
        }
        const out = Of ? new Of() : [];
        const many = asyncOf ? asyncOf.call(items) : syncOf.call(items);
        const { next } = many;
        for (;;) {
          const step = asyncOf ? await next.call(many) : next.call(many);
          if (typeof step !== 'object' || step === null) throw new TypeError('an iterator gave no object');
          if (step.done) { out.length = i; return out; }
          try {
            let value = asyncOf ? step.value : await step.value;
            if (map) value = await map.call(self, value, i);
            put(out, i++, value);
          } catch (e) {
            try { await many.return?.(); } catch {}
            throw e;
          }
        }
      })();
    },
  });

  add(Error, {
    // The engine writes a stack when an error is made; a later one is that of a
    // new error, made here.
    captureStackTrace(target) {
      if (typeof target !== 'object' && typeof target !== 'function' || target === null) {
        throw new TypeError('captureStackTrace needs an object');
      }
      const { stack } = new Error();
      const head = target instanceof Error ? `${target}` : 'Error';
      hidden(target, 'stack', head + stack.slice(stack.indexOf('\n')));
    },
    stackTraceLimit: 10,
  });
  return {};
})
