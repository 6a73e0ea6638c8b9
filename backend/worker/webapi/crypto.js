// crypto: randomUUID, getRandomValues and subtle. This side checks what was
// asked, to the letter of Web Crypto; the work and the keys' bytes are native.
(function ($op, $module) {
  'use strict';
  const core = $module('core');
  const { dom, idl, failed } = $module('dom');
  const { CryptoKey, keyOf, makeKey } = $module('cryptokey');
  const { normal } = $module('cryptoalgorithms');
  const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
  const integers = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array'];
  const illegal = name => new TypeError(`${name} cannot be made: use the global crypto`);
  let allowed = true;

  const source = (data, what) => {
    if (!(data instanceof ArrayBuffer) && !ArrayBuffer.isView(data)) throw new TypeError(`${what}: pass an ArrayBuffer or a view of one`);
    return core.bytesOf(data);
  };
  const usable = (algorithm, key, usage) => {
    const inside = keyOf(key);
    if (inside.name !== algorithm.name) throw dom('InvalidAccessError', `the key is for ${inside.name}, not for ${algorithm.name}`);
    if (!inside.usages.includes(usage)) throw dom('InvalidAccessError', `the key was imported without the usage "${usage}"`);
    return inside;
  };
  const key = value => {
    if (!(value instanceof CryptoKey)) throw new TypeError('pass a CryptoKey: importKey gives one');
    return value;
  };
  const side = (inside, type, usage) => {
    if (inside.type !== type) throw dom('InvalidAccessError', `to ${usage}, use the ${type} key`);
  };
  const absent = name => function () {
    return Promise.reject(dom('NotSupportedError', `crypto.subtle.${name} is not part of js-v1: it has digest, sign, verify, encrypt, decrypt and importKey. Keep keys as secrets and import them.`));
  };
  // A hash's result belongs to the caller alone.
  const cipher = (decrypt, algorithm, inside, bytes) => {
    const usage = decrypt ? 'decrypt' : 'encrypt';
    if (algorithm.name === 'RSA-OAEP') {
      side(inside, decrypt ? 'private' : 'public', usage);
      return failed($op.oaep(decrypt, inside.hash, inside.material, bytes, algorithm.label));
    }
    return failed($op.aes(algorithm.name, decrypt, inside.material, bytes, algorithm.iv, algorithm.more, algorithm.bits));
  };

  class SubtleCrypto {
    constructor() { if (!allowed) throw illegal('SubtleCrypto'); }
    async digest(algorithm, data) {
      const { name } = normal('digest', algorithm);
      return failed($op.digest(name, source(data, 'digest')));
    }
    async sign(algorithm, k, data) {
      const asked = normal('sign', algorithm), bytes = source(data, 'sign'), inside = usable(asked, key(k), 'sign');
      if (asked.name !== 'HMAC') side(inside, 'private', 'sign');
      return failed($op.sign(asked.name, asked.hash || inside.hash, inside.curve, asked.saltLength, inside.material, bytes));
    }
    async verify(algorithm, k, signature, data) {
      const asked = normal('verify', algorithm), given = source(signature, 'verify'), bytes = source(data, 'verify');
      const inside = usable(asked, key(k), 'verify');
      if (asked.name !== 'HMAC') side(inside, 'public', 'verify');
      return failed($op.verify(asked.name, asked.hash || inside.hash, inside.curve, asked.saltLength, inside.material, bytes, given));
    }
    async encrypt(algorithm, k, data) {
      const asked = normal('encrypt', algorithm), bytes = source(data, 'encrypt');
      return cipher(false, asked, usable(asked, key(k), 'encrypt'), bytes);
    }
    async decrypt(algorithm, k, data) {
      const asked = normal('decrypt', algorithm), bytes = source(data, 'decrypt');
      return cipher(true, asked, usable(asked, key(k), 'decrypt'), bytes);
    }
    async importKey(format, data, algorithm, extractable, usages) {
      if (arguments.length < 5) throw new TypeError('importKey needs format, key data, algorithm, extractable and usages');
      return makeKey(`${format}`, data, normal('importKey', algorithm), !!extractable, [...usages]);
    }
  }
  for (const name of ['exportKey', 'generateKey', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey']) core.hidden(SubtleCrypto.prototype, name, absent(name));
  idl(SubtleCrypto);
  for (const name of ['exportKey', 'generateKey', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey']) {
    Object.defineProperty(SubtleCrypto.prototype, name, { enumerable: false });
  }

  class Crypto {
    #subtle;
    constructor() { if (!allowed) throw illegal('Crypto'); this.#subtle = new SubtleCrypto(); }
    get subtle() { return this.#subtle; }
    getRandomValues(array) {
      this.#subtle; // only on a Crypto
      if (!integers.includes(tagOf.call(array))) {
        if (!ArrayBuffer.isView(array)) throw new TypeError('getRandomValues: pass a typed array of integers');
        throw dom('TypeMismatchError', 'getRandomValues: pass a typed array of integers');
      }
      if (array.byteLength > 65536) throw dom('QuotaExceededError', `getRandomValues: at most 65536 bytes at once, not ${array.byteLength}`);
      $op.randomFill(core.bytesOf(array));
      return array;
    }
    randomUUID() {
      this.#subtle;
      const b = new Uint8Array(16);
      $op.randomFill(b);
      b[6] = b[6] & 0x0F | 0x40;
      b[8] = b[8] & 0x3F | 0x80;
      let out = '';
      for (let i = 0; i < 16; i++) out += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + (b[i] + 256).toString(16).slice(1);
      return out;
    }
  }
  idl(Crypto);
  const crypto = new Crypto();
  allowed = false;
  return { crypto };
})
