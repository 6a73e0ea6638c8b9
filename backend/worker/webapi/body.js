// Request and Response. Bodies are whole; the one exception is a Response that a
// custom endpoint sends chunk by chunk.
(function ($op, $module) {
  'use strict';
  const core = $module('core');
  const { Headers, freeze } = $module('headers');
  const { idl } = $module('dom');
  const noBody = new Set([101, 103, 204, 205, 304]);
  const methods = /^[!#$%&'*+\-.^_\x60|~0-9A-Za-z]+$/, reason = /^[\t\x20-\x7E\x80-\xFF]*$/;
  let bytesIn, respond, extra;
  // Bodies that a handler of a custom endpoint sends chunk by chunk.
  const streams = new WeakMap();
  const streamIn = response => streams.get(response);
  const streaming = body => typeof body === 'object' && body !== null && Symbol.asyncIterator !== undefined
    && typeof body[Symbol.asyncIterator] === 'function';
  const headOf = response => {
    const headers = {};
    for (const [name, value] of response.headers) headers[name] = name === 'set-cookie' ? response.headers.getSetCookie() : value;
    return { status: response.status, headers };
  };

  // read gives the bytes of a body as it was passed, and the content type that
  // goes with it.
  const read = body => {
    if (body === undefined || body === null) return [null, null];
    if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return [core.bytesOf(body).slice(), null];
    if (typeof body === 'object' && Object.prototype.toString.call(body) === '[object URLSearchParams]') {
      return [core.bytes($op.utf8Encode(`${body}`)), 'application/x-www-form-urlencoded;charset=UTF-8'];
    }
    return [core.bytes($op.utf8Encode(`${body}`)), 'text/plain;charset=UTF-8'];
  };
  const dictionary = (init, what) => {
    if (init === undefined || init === null) return {};
    if (typeof init !== 'object' && typeof init !== 'function') throw new TypeError(`${what}: the second argument is an object`);
    return init;
  };
  const used = () => new TypeError('the body has been read already; use clone() to read it twice');

  class Body {
    #bytes = null; #used = false;
    static { bytesIn = (of, bytes) => (bytes === undefined ? of.#bytes : (of.#bytes = bytes)); }
    get bodyUsed() { return this.#used; }
    get body() { this.#used; return null; }
    #take() {
      if (this.#used) throw used();
      if (this.#bytes !== null) this.#used = true;
      return this.#bytes === null ? new Uint8Array(0) : this.#bytes;
    }
    static take(of) { return of.#bytes === null ? null : of.#take().slice(); }
    async arrayBuffer() { const b = this.#take(); return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength); }
    async bytes() { return this.#take().slice(); }
    async text() { return $op.utf8Decode(this.#take(), false, false); }
    async json() { return JSON.parse($op.utf8Decode(this.#take(), false, false)); }
  }
  const { take } = Body;
  delete Body.take;
  const copied = of => {
    if (of.bodyUsed) throw used();
    const bytes = bytesIn(of);
    return bytes === null ? null : bytes.slice();
  };
  const choice = (init, from, name, all) => {
    const value = init[name] === undefined ? (from ? from[name] : all[0]) : `${init[name]}`;
    if (!all.includes(value)) throw new TypeError(`${name} is ${all.join(', ')}, not "${value.slice(0, 40)}"`);
    return value;
  };

  class Request extends Body {
    #method; #url; #headers; #signal; #redirect; #extra; #rest;
    static {
      extra = request => {
        const { timeoutMs, maxBytes } = request.#extra;
        const left = request.#signal ? $module('abort').due(request.#signal) - Date.now() : Infinity;
        return { timeoutMs: left < (timeoutMs || Infinity) ? Math.max(1, left) : timeoutMs, maxBytes };
      };
    }
    constructor(input, given) {
      if (arguments.length === 0) throw new TypeError('Request needs an address');
      super();
      const from = input instanceof Request ? input : null, init = dictionary(given, 'Request');
      this.#url = from ? from.url : $op.urlParse(`${input}`, undefined)[0];
      if (!from && /^[^/?#]*:\/\/[^/?#]*@/.test(this.#url)) throw new TypeError('Request: the address has a user name or password in it');
      const method = init.method === undefined ? (from ? from.method : 'GET') : `${init.method}`;
      if (!methods.test(method) || /^(connect|trace|track)$/i.test(method)) {
        throw new TypeError(`"${method.slice(0, 40)}" is not a method that can be sent`);
      }
      this.#method = /^(delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method;
      this.#headers = new Headers(init.headers === undefined ? (from ? from.headers : undefined) : init.headers);
      this.#redirect = choice(init, from, 'redirect', ['follow', 'error', 'manual']);
      this.#rest = {
        cache: choice(init, from, 'cache', ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached']),
        credentials: choice(init, from, 'credentials', ['same-origin', 'omit', 'include']),
        mode: choice(init, from, 'mode', ['cors', 'same-origin', 'no-cors']),
        integrity: init.integrity === undefined ? (from ? from.integrity : '') : `${init.integrity}`,
        keepalive: init.keepalive === undefined ? (from ? from.keepalive : false) : !!init.keepalive,
      };
      this.#extra = { timeoutMs: init.timeoutMs, maxBytes: init.maxBytes };
      if (init.signal !== undefined && init.signal !== null) {
        const { AbortSignal, make, follow } = $module('abort');
        if (!(init.signal instanceof AbortSignal)) throw new TypeError('Request: signal is an AbortSignal');
        this.#signal = this.#follows(init.signal, make, follow);
      } else if (init.signal === undefined && from && from.#signal) {
        const { make, follow } = $module('abort');
        this.#signal = this.#follows(from.#signal, make, follow);
      }
      const hasBody = init.body !== undefined && init.body !== null;
      const [own, type] = read(init.body);
      if ((hasBody || init.body === undefined && from && bytesIn(from) !== null) && (this.#method === 'GET' || this.#method === 'HEAD')) {
        throw new TypeError(`a ${this.#method} request has no body`);
      }
      if (type !== null && !this.#headers.has('content-type')) this.#headers.set('content-type', type);
      if (from && from.bodyUsed && init.body === undefined) throw used();
      bytesIn(this, own !== null || !from || init.body === null ? own : take(from));
    }
    #follows(signal, make, follow) {
      if (signal.aborted) return signal;
      const own = make();
      follow(own, signal);
      return own;
    }
    get method() { return this.#method; }
    get url() { return this.#url; }
    get headers() { return this.#headers; }
    get signal() { return this.#signal || (this.#signal = $module('abort').make()); }
    get redirect() { return this.#redirect; }
    get cache() { return this.#rest.cache; }
    get credentials() { return this.#rest.credentials; }
    get mode() { return this.#rest.mode; }
    get integrity() { return this.#rest.integrity; }
    get keepalive() { return this.#rest.keepalive; }
    get destination() { this.#url; return ''; }
    get referrer() { this.#url; return 'about:client'; }
    get referrerPolicy() { this.#url; return ''; }
    get duplex() { this.#url; return 'half'; }
    clone() {
      const bytes = copied(this), twin = new Request(this.#url, { ...this.#rest, method: this.#method, headers: this.#headers, redirect: this.#redirect, signal: this.#signal, ...this.#extra });
      bytesIn(twin, bytes);
      return twin;
    }
  }

  class Response extends Body {
    #status; #statusText; #headers; #url = ''; #redirected = false; #type = 'default';
    static {
      respond = (bytes, { status, statusText, headers, url, redirected, type = 'basic', fixed = true }) => {
        const r = new Response(null, { headers });
        r.#status = status; r.#statusText = statusText; r.#url = url; r.#redirected = redirected; r.#type = type;
        if (fixed) freeze(r.#headers);
        bytesIn(r, bytes);
        return r;
      };
    }
    constructor(body = null, init) {
      super();
      const { status = 200, statusText = '', headers } = dictionary(init, 'Response');
      this.#status = Math.trunc(+status) & 0xFFFF;
      if (!(this.#status >= 200 && this.#status <= 599)) throw new RangeError(`a status is 200 to 599, not ${status}`);
      this.#statusText = `${statusText}`;
      if (!reason.test(this.#statusText)) throw new TypeError('statusText has characters that cannot be sent');
      this.#headers = new Headers(headers);
      if (streaming(body)) {
        streams.set(this, body);
        return;
      }
      const [bytes, type] = read(body);
      if (bytes !== null && noBody.has(this.#status)) throw new TypeError(`a response with status ${this.#status} has no body`);
      if (type !== null && !this.#headers.has('content-type')) this.#headers.set('content-type', type);
      bytesIn(this, bytes);
    }
    get type() { return this.#type; }
    get url() { return this.#url; }
    get redirected() { return this.#redirected; }
    get status() { return this.#status; }
    get ok() { return this.#status >= 200 && this.#status <= 299; }
    get statusText() { return this.#statusText; }
    get headers() { return this.#headers; }
    clone() {
      return respond(copied(this), { status: this.#status, statusText: this.#statusText, headers: this.#headers, url: this.#url,
        redirected: this.#redirected, type: this.#type, fixed: this.#type !== 'default' });
    }
    static error() { return respond(null, { status: 0, statusText: '', url: '', redirected: false, type: 'error' }); }
    static json(value, init) {
      const text = $op.json(value);
      if (text === undefined) throw new TypeError('Response.json: the value has no form in JSON');
      const given = dictionary(init, 'Response.json'), headers = new Headers(given.headers);
      if (!headers.has('content-type')) headers.set('content-type', 'application/json');
      return new Response(text, { status: given.status, statusText: given.statusText, headers });
    }
    static redirect(url, status = 302) {
      const location = $op.urlParse(`${url}`, undefined)[0];
      if (![301, 302, 303, 307, 308].includes(+status)) throw new RangeError(`${status} is not a redirect status`);
      const r = new Response(null, { status, headers: { location } });
      freeze(r.#headers);
      return r;
    }
    // What a handler that returns a Response has as its result, contract.md 2.8.
    toJSON() {
      const headers = {};
      for (const [name, value] of this.#headers) {
        headers[name] = name === 'set-cookie' && this.#headers.getSetCookie().length > 1 ? this.#headers.getSetCookie() : value;
      }
      if (streams.has(this)) throw new TypeError('a Response whose body is an async iterable can be returned by a custom endpoint only');
      const bytes = bytesIn(this);
      if (bytes === null) return { status: this.#status, headers };
      try {
        return { status: this.#status, headers, body: $op.utf8Decode(bytes, true, true) };
      } catch {
        return { status: this.#status, headers, bodyB64: $op.toBase64(bytes) };
      }
    }
  }
  const { toJSON } = Response.prototype;
  delete Response.prototype.toJSON;
  idl(Request);
  idl(Response);
  core.hidden(Response.prototype, 'toJSON', toJSON);
  return { Request, Response, bytesIn, respond, extra, streamIn, headOf };
})
