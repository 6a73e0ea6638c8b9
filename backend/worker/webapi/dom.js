// DOMException as an error has it (name, message, code), and idl, which gives a
// class the property attributes that Web IDL prescribes. Neither is a global.
(function () {
  'use strict';
  const { defineProperty, getOwnPropertyDescriptors } = Object;
  const codes = {
    InvalidCharacterError: 5, NoModificationAllowedError: 7, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12,
    InvalidAccessError: 15, TypeMismatchError: 17, AbortError: 20, QuotaExceededError: 22, TimeoutError: 23, DataCloneError: 25,
  };
  const hosts = [];

  // idl makes the members of a class enumerable, gives it its tag, and notes it
  // as one whose objects cannot be cloned.
  const idl = (C, tag = C.name) => {
    for (const of of [C.prototype, C]) {
      const all = getOwnPropertyDescriptors(of);
      for (const name of Object.keys(all)) {
        if (name === 'constructor' || of === C && (name === 'length' || name === 'name' || name === 'prototype')) continue;
        if (all[name].configurable) defineProperty(of, name, { enumerable: true });
      }
    }
    defineProperty(C.prototype, Symbol.toStringTag, { value: tag, configurable: true });
    hosts.push(C.prototype);
    return C;
  };

  class DOMException extends Error {
    constructor(message = '', name = 'Error') {
      super(message);
      defineProperty(this, 'name', { value: `${name}`, writable: true, configurable: true });
    }
    get code() { return codes[this.name] || 0; }
  }
  defineProperty(DOMException.prototype, Symbol.toStringTag, { value: 'DOMException', configurable: true });
  const dom = (name, text) => new DOMException(text, name);

  // failed turns what an operation gave into its result, or throws: a text is
  // an error's name and message.
  const failed = result => {
    if (typeof result !== 'string') return result;
    const cut = result.indexOf(': ');
    throw dom(result.slice(0, cut), result.slice(cut + 2));
  };

  const pairs = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  // iterators gives a class keys, values, entries, forEach and an iterator of
  // its own: next(target, i) is the pair at i, or undefined.
  const iterators = (C, next, name) => {
    class Pairs {
      #of; #kind; #i = 0;
      constructor(of, kind) { this.#of = of; this.#kind = kind; }
      next() {
        const pair = next(this.#of, this.#i);
        if (pair === undefined) return { value: undefined, done: true };
        this.#i++;
        return { value: this.#kind === 2 ? pair : pair[this.#kind], done: false };
      }
    }
    const prototype = Object.create(pairs, {
      next: { value: Pairs.prototype.next, writable: true, enumerable: true, configurable: true },
      [Symbol.toStringTag]: { value: `${name} Iterator`, configurable: true },
    });
    const make = (of, kind) => { next(of, 0); return Object.setPrototypeOf(new Pairs(of, kind), prototype); };
    const members = {
      entries() { return make(this, 2); },
      keys() { return make(this, 0); },
      values() { return make(this, 1); },
      forEach(callback, self = undefined) {
        if (typeof callback !== 'function') throw new TypeError(`${name}.forEach: pass a function`);
        for (let i = 0, pair; (pair = next(this, i)) !== undefined; i++) callback.call(self, pair[1], pair[0], this);
      },
    };
    for (const name of Object.keys(members)) {
      defineProperty(C.prototype, name, { value: members[name], writable: true, enumerable: true, configurable: true });
    }
    defineProperty(C.prototype, Symbol.iterator, { value: members.entries, writable: true, configurable: true });
  };
  return { dom, DOMException, idl, hosts, failed, iterators };
})
