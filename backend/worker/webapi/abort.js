// AbortController and AbortSignal, as far as fetch needs them. There are no
// timers in js-v1: a signal of AbortSignal.timeout knows when it is due, fetch
// ends at that time, and its listeners hear of it when somebody looks.
(function ($op, $module) {
  'use strict';
  const { dom, idl } = $module('dom');
  const now = Date.now;
  let allowed = false, abort, follow, due;
  const make = () => {
    allowed = true;
    try {
      return new AbortSignal();
    } finally {
      allowed = false;
    }
  };

  class AbortSignal {
    #aborted = false; #reason; #listeners = []; #onabort = null; #followers = []; #due = Infinity;
    static {
      abort = (signal, reason) => {
        if (signal.#aborted) return;
        signal.#aborted = true;
        signal.#reason = reason === undefined ? dom('AbortError', 'This operation was aborted') : reason;
        const followers = signal.#followers;
        for (const one of followers) abort(one, signal.#reason);
        const event = { type: 'abort', target: signal, currentTarget: signal, bubbles: false, cancelable: false, isTrusted: true };
        const all = signal.#listeners;
        signal.#listeners = signal.#followers = [];
        if (typeof signal.#onabort === 'function') signal.#onabort.call(signal, event);
        for (const { listener } of all) typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event);
      };
      follow = (signal, of) => {
        of.#followers.push(signal);
        if (of.#due < signal.#due) signal.#due = of.#due;
      };
      due = (signal, at) => (at === undefined ? signal.#due : (signal.#due = at));
    }
    constructor() {
      if (!allowed) throw new TypeError('Illegal constructor: use AbortController, AbortSignal.abort, AbortSignal.any or AbortSignal.timeout');
    }
    #look() {
      if (!this.#aborted && now() >= this.#due) abort(this, dom('TimeoutError', 'The operation was aborted due to timeout'));
    }
    get aborted() { this.#look(); return this.#aborted; }
    get reason() { this.#look(); return this.#reason; }
    throwIfAborted() { if (this.aborted) throw this.#reason; }
    get onabort() { return this.#onabort; }
    set onabort(f) { this.#onabort = typeof f === 'function' ? f : null; }
    addEventListener(type, listener, options) {
      if (arguments.length < 2) throw new TypeError('addEventListener needs a type and a listener');
      if (listener === null || listener === undefined) return;
      if (typeof listener !== 'function' && typeof listener !== 'object') throw new TypeError('a listener is a function or an object');
      if (`${type}` !== 'abort' || this.#listeners.some(of => of.listener === listener)) return;
      const until = options && options.signal;
      if (until && until.aborted) return;
      this.#listeners.push({ listener });
      if (until) until.addEventListener('abort', () => this.removeEventListener('abort', listener));
    }
    removeEventListener(type, listener) {
      if (`${type}` === 'abort') this.#listeners = this.#listeners.filter(of => of.listener !== listener);
    }
    static abort(reason) { const s = make(); abort(s, reason); return s; }
    static timeout(milliseconds) {
      const ms = +milliseconds;
      if (!(ms >= 0 && ms <= Number.MAX_SAFE_INTEGER)) throw new TypeError('AbortSignal.timeout needs a number of milliseconds');
      const s = make();
      due(s, now() + Math.trunc(ms));
      return s;
    }
    static any(signals) {
      const all = [...signals], s = make();
      if (all.some(one => !(one instanceof AbortSignal))) throw new TypeError('AbortSignal.any needs signals');
      const done = all.find(one => one.aborted);
      if (done) abort(s, done.reason);
      else for (const one of all) follow(s, one);
      return s;
    }
  }

  class AbortController {
    #signal = make();
    get signal() { return this.#signal; }
    abort(reason) { abort(this.#signal, reason); }
  }
  idl(AbortSignal);
  idl(AbortController);
  return { AbortController, AbortSignal, make, follow, due };
})
