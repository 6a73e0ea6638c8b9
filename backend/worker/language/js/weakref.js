// WeakRef and FinalizationRegistry. The standard lets a reference hold its
// target and a registry never call back; a run is too short for anything else.
(function () {
  'use strict';
  const { defineProperty } = Object;
  const check = (value, what) => {
    const weak = typeof value === 'object' && value !== null || typeof value === 'function'
      || typeof value === 'symbol' && Symbol.keyFor(value) === undefined;
    if (!weak) throw new TypeError(`${what} must be an object or a symbol that is not registered`);
  };
  const tagged = (of, tag) => {
    defineProperty(of.prototype, Symbol.toStringTag, { value: tag, configurable: true });
    return of;
  };
  class WeakRef {
    #target;
    constructor(target) {
      check(target, 'the target of a WeakRef');
      this.#target = target;
    }
    deref() { return this.#target; }
  }
  class FinalizationRegistry {
    #tokens;
    constructor(callback) {
      if (typeof callback !== 'function') throw new TypeError('FinalizationRegistry needs a function');
      this.#tokens = new Set();
    }
    register(target, held, token) {
      check(target, 'the target of a FinalizationRegistry');
      if (target === held) throw new TypeError('target and held value must not be the same');
      if (token !== undefined) {
        check(token, 'the unregister token');
        this.#tokens.add(token);
      }
    }
    unregister(token) {
      check(token, 'the unregister token');
      return this.#tokens.delete(token);
    }
  }
  return { WeakRef: tagged(WeakRef, 'WeakRef'), FinalizationRegistry: tagged(FinalizationRegistry, 'FinalizationRegistry') };
})
