// URL and URLSearchParams. The native parser is the one that fetch checks and
// dials with; this side only keeps the parts it gave.
(function ($op, $module) {
  'use strict';
  const { idl, iterators } = $module('dom');
  const HREF = 0, ORIGIN = 1, PROTOCOL = 2, USERNAME = 3, PASSWORD = 4, HOST = 5, HOSTNAME = 6, PORT = 7, PATHNAME = 8,
    SEARCH = 9, HASH = 10;
  let at, adopt; // gives a URLSearchParams to its URL

  class URLSearchParams {
    #list = []; #owner = null;
    static {
      adopt = (params, list, owner) => { params.#list = list; params.#owner = owner; };
      at = (params, i) => (i < params.#list.length ? [params.#list[i], params.#list[i + 1]] : undefined);
    }
    constructor(init = '') {
      if ((typeof init === 'object' && init !== null) || typeof init === 'function') {
        if (init[Symbol.iterator] !== undefined && init[Symbol.iterator] !== null) {
          for (const pair of init) {
            const [name, value, ...more] = pair;
            if (more.length > 0 || [...pair].length !== 2) throw new TypeError('URLSearchParams: each pair has a name and a value');
            this.#list.push(`${name}`, `${value}`);
          }
        } else {
          for (const name of Reflect.ownKeys(init)) {
            if (typeof name === 'string' && Object.prototype.propertyIsEnumerable.call(init, name)) this.#list.push(name, `${init[name]}`);
          }
        }
        return;
      }
      const text = `${init}`;
      this.#list = $op.paramsParse(text[0] === '?' ? text.slice(1) : text);
    }
    #changed() { if (this.#owner) this.#owner(this.toString()); }
    get size() { return this.#list.length / 2; }
    append(name, value) { this.#list.push(`${name}`, `${value}`); this.#changed(); }
    delete(name, value) {
      const key = `${name}`, only = value === undefined ? undefined : `${value}`, kept = [];
      for (let i = 0; i < this.#list.length; i += 2) {
        if (this.#list[i] === key && (only === undefined || this.#list[i + 1] === only)) continue;
        kept.push(this.#list[i], this.#list[i + 1]);
      }
      this.#list = kept;
      this.#changed();
    }
    get(name) {
      const key = `${name}`;
      for (let i = 0; i < this.#list.length; i += 2) if (this.#list[i] === key) return this.#list[i + 1];
      return null;
    }
    getAll(name) {
      const key = `${name}`, out = [];
      for (let i = 0; i < this.#list.length; i += 2) if (this.#list[i] === key) out.push(this.#list[i + 1]);
      return out;
    }
    has(name, value) {
      const all = this.getAll(name);
      return value === undefined ? all.length > 0 : all.includes(`${value}`);
    }
    set(name, value) {
      const key = `${name}`, kept = [];
      let done = false;
      for (let i = 0; i < this.#list.length; i += 2) {
        if (this.#list[i] !== key) kept.push(this.#list[i], this.#list[i + 1]);
        else if (!done) { kept.push(key, `${value}`); done = true; }
      }
      if (!done) kept.push(key, `${value}`);
      this.#list = kept;
      this.#changed();
    }
    sort() {
      const pairs = [...this];
      pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
      this.#list = pairs.flat();
      this.#changed();
    }
    toString() { return $op.paramsWrite(this.#list); }
  }
  iterators(URLSearchParams, (params, i) => at(params, i * 2), 'URLSearchParams');
  idl(URLSearchParams);

  class URL {
    #parts; #params;
    constructor(url, base) {
      if (arguments.length === 0) throw new TypeError('URL needs a text');
      this.#parts = $op.urlParse(`${url}`, base === undefined ? undefined : `${base}`);
    }
    static canParse(url, base) { return $op.urlCanParse(`${url}`, base === undefined ? undefined : `${base}`); }
    static parse(url, base) { return URL.canParse(url, base) ? new URL(url, base) : null; }
    #refresh() {
      if (this.#params) adopt(this.#params, $op.paramsParse(this.search.slice(1)), this.#owner);
    }
    #owner = text => { this.#parts = $op.urlSet(this.#parts[HREF], 'search', text); };
    #set(part, value) {
      this.#parts = $op.urlSet(this.#parts[HREF], part, `${value}`);
      if (part === 'search') this.#refresh();
    }
    get href() { return this.#parts[HREF]; }
    set href(value) { this.#parts = $op.urlParse(`${value}`); this.#refresh(); }
    get origin() { return this.#parts[ORIGIN]; }
    get protocol() { return this.#parts[PROTOCOL]; }
    set protocol(value) { this.#set('protocol', value); }
    get username() { return this.#parts[USERNAME]; }
    set username(value) { this.#set('username', value); }
    get password() { return this.#parts[PASSWORD]; }
    set password(value) { this.#set('password', value); }
    get host() { return this.#parts[HOST]; }
    set host(value) { this.#set('host', value); }
    get hostname() { return this.#parts[HOSTNAME]; }
    set hostname(value) { this.#set('hostname', value); }
    get port() { return this.#parts[PORT]; }
    set port(value) { this.#set('port', value); }
    get pathname() { return this.#parts[PATHNAME]; }
    set pathname(value) { this.#set('pathname', value); }
    get search() { return this.#parts[SEARCH]; }
    set search(value) { this.#set('search', value); }
    get hash() { return this.#parts[HASH]; }
    set hash(value) { this.#set('hash', value); }
    get searchParams() {
      if (!this.#params) {
        this.#params = new URLSearchParams();
        this.#refresh();
      }
      return this.#params;
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  }
  idl(URL);
  return { URL, URLSearchParams };
})
