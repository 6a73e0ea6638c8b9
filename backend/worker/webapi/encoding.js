// TextEncoder and TextDecoder.
(function ($op, $module) {
  'use strict';
  const core = $module('core');
  const { idl } = $module('dom');
  const options = of => {
    if (of !== undefined && of !== null && typeof of !== 'object' && typeof of !== 'function') throw new TypeError('the options are an object');
    return of || {};
  };

  class TextEncoder {
    #utf8 = true;
    get encoding() { this.#utf8; return 'utf-8'; }
    encode(text = '') { this.#utf8; return core.bytes($op.utf8Encode(`${text}`)); }
    encodeInto(text, target) {
      this.#utf8;
      if (!(target instanceof Uint8Array)) throw new TypeError('encodeInto writes into a Uint8Array');
      return $op.encodeInto(`${text}`, target);
    }
  }

  class TextDecoder {
    #name; #fatal; #ignoreBOM; #held = null; #begun = false; #goesOn = false;
    constructor(label = 'utf-8', given) {
      const { fatal = false, ignoreBOM = false } = options(given);
      this.#name = $op.encodingName(`${label}`);
      if (this.#name === '') throw new RangeError(`TextDecoder: there is no encoding called "${`${label}`.slice(0, 60)}"`);
      this.#fatal = !!fatal;
      this.#ignoreBOM = !!ignoreBOM;
    }
    get encoding() { return this.#name; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(input, given) {
      const stream = !!options(given).stream;
      let data = core.bytesOf(input);
      if (!this.#goesOn) {
        this.#held = null;
        this.#begun = false;
      }
      this.#goesOn = stream;
      if (this.#held !== null && this.#held.length > 0) {
        const joined = new Uint8Array(this.#held.length + data.length);
        joined.set(this.#held);
        joined.set(data, this.#held.length);
        data = joined;
      }
      const keepBOM = this.#ignoreBOM || this.#begun;
      if (!stream && this.#name === 'utf-8') return $op.utf8Decode(data, this.#fatal, keepBOM);
      const [text, wait, before] = $op.textDecode(this.#name, data, this.#fatal, keepBOM, stream);
      if (stream) {
        const rest = data.length - wait;
        this.#held = new Uint8Array(before.length + +wait);
        for (let i = 0; i < before.length; i++) this.#held[i] = before.charCodeAt(i);
        this.#held.set(data.subarray(rest), before.length);
        if (rest > 0) this.#begun = true;
      }
      return text;
    }
  }
  idl(TextEncoder);
  idl(TextDecoder);
  return { TextEncoder, TextDecoder };
})
