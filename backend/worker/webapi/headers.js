// Headers.
(function ($op, $module) {
  'use strict';
  const { idl, iterators } = $module('dom');
  const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
  const nameOf = name => {
    const text = `${name}`;
    if (!token.test(text)) throw new TypeError(`"${text.slice(0, 60)}" is not a header name`);
    return text.toLowerCase();
  };
  const valueOf = value => {
    const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
    if (/[\0\r\n]/.test(text) || /[^\0-\xFF]/.test(text)) throw new TypeError('a header value has characters that cannot be sent');
    return text;
  };
  let freeze, at;

  class Headers {
    #list = new Map(); // name to values
    #sorted = null; #fixed = false;
    static {
      // freeze makes the headers of an answer what the standard calls immutable.
      freeze = headers => { headers.#fixed = true; return headers; };
      at = (headers, i) => headers.#pairs()[i];
    }
    constructor(init) {
      if (init === undefined) return;
      if (typeof init !== 'object' && typeof init !== 'function' || init === null) throw new TypeError('Headers: pass an object or pairs');
      const iterator = init[Symbol.iterator];
      if (iterator !== undefined && iterator !== null) {
        if (typeof iterator !== 'function') throw new TypeError('Headers: pass an object or pairs');
        for (const pair of init) {
          if (typeof pair !== 'object' && typeof pair !== 'function' || pair === null) throw new TypeError('Headers: each pair has a name and a value');
          const both = [...pair];
          if (both.length !== 2) throw new TypeError('Headers: each pair has a name and a value');
          this.append(both[0], both[1]);
        }
        return;
      }
      for (const name of Reflect.ownKeys(init)) {
        const own = Object.getOwnPropertyDescriptor(init, name);
        if (own && own.enumerable) this.append(name, init[name]);
      }
    }
    #change() {
      if (this.#fixed) throw new TypeError('these headers belong to an answer and cannot be changed: copy them with new Headers(headers)');
      this.#sorted = null;
    }
    #pairs() {
      if (this.#sorted) return this.#sorted;
      const out = [];
      for (const name of [...this.#list.keys()].sort()) {
        const values = this.#list.get(name);
        if (name === 'set-cookie') for (const value of values) out.push([name, value]);
        else out.push([name, values.join(', ')]);
      }
      return (this.#sorted = out);
    }
    append(name, value) {
      const key = nameOf(name), text = valueOf(value), there = this.#list.get(key);
      this.#change();
      if (there) there.push(text);
      else this.#list.set(key, [text]);
    }
    set(name, value) {
      const key = nameOf(name), text = valueOf(value);
      this.#change();
      this.#list.set(key, [text]);
    }
    delete(name) {
      const key = nameOf(name);
      this.#change();
      this.#list.delete(key);
    }
    get(name) {
      const there = this.#list.get(nameOf(name));
      return there ? there.join(', ') : null;
    }
    has(name) { return this.#list.has(nameOf(name)); }
    getSetCookie() { return [...(this.#list.get('set-cookie') || [])]; }
  }
  iterators(Headers, (headers, i) => {
    const pair = at(headers, i);
    return pair && [pair[0], pair[1]];
  }, 'Headers');
  idl(Headers);
  return { Headers, freeze };
})
