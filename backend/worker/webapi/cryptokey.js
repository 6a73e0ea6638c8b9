// CryptoKey, and what importKey accepts. A key's bytes are never given out.
(function ($op, $module) {
  'use strict';
  const core = $module('core');
  const { dom, idl, failed } = $module('dom');
  const every = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];
  const blockBits = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };
  let allowed = false, inside;

  class CryptoKey {
    #in; #algorithm; #usages;
    static { inside = (of, all) => (all === undefined ? of.#in : (of.#in = all)); }
    constructor() { if (!allowed) throw new TypeError('CryptoKey cannot be made: importKey gives one'); }
    get type() { return this.#in.type; }
    get extractable() { return this.#in.extractable; }
    get algorithm() { return this.#algorithm || (this.#algorithm = shown(this.#in)); }
    get usages() { return this.#usages || (this.#usages = [...this.#in.usages]); }
  }
  idl(CryptoKey);

  // shown is the algorithm as the author sees it; changing it changes nothing.
  const shown = k => {
    const out = { name: k.name };
    if (k.bits) {
      out.modulusLength = k.bits;
      out.publicExponent = new Uint8Array(k.exponent);
    }
    if (k.hash) out.hash = { name: k.hash };
    if (k.curve) out.namedCurve = k.curve;
    if (k.length !== undefined) out.length = k.length;
    return out;
  };

  const syntax = text => dom('SyntaxError', text);
  const dataError = text => dom('DataError', text);
  const usagesOf = (name, type) => {
    if (type === 'secret') return name === 'HMAC' ? ['sign', 'verify'] : ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
    if (name === 'RSA-OAEP') return type === 'public' ? ['encrypt', 'wrapKey'] : ['decrypt', 'unwrapKey'];
    return type === 'public' ? ['verify'] : ['sign'];
  };
  const isSecret = name => name === 'HMAC' || name.startsWith('AES-');
  const algOf = (algorithm, bytes) => {
    const size = (algorithm.hash || '').slice(4);
    switch (algorithm.name) {
      case 'HMAC': return `HS${size}`;
      case 'RSASSA-PKCS1-v1_5': return `RS${size}`;
      case 'RSA-PSS': return `PS${size}`;
      case 'RSA-OAEP': return size === '1' ? 'RSA-OAEP' : `RSA-OAEP-${size}`;
      case 'Ed25519': return 'EdDSA';
      case 'ECDSA': return undefined; // any, as the standard has it
    }
    return `A${bytes * 8}${algorithm.name.slice(4)}`;
  };

  // fromJWK checks everything of a JWK but its numbers.
  const fromJWK = (data, algorithm, extractable, usages) => {
    if (typeof data !== 'object' || data === null || data instanceof ArrayBuffer || ArrayBuffer.isView(data)) {
      throw new TypeError('importKey: a JWK is an object');
    }
    const k = {};
    for (const name of ['kty', 'use', 'alg', 'crv', 'k', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi']) {
      if (data[name] !== undefined) k[name] = `${data[name]}`;
    }
    const kty = isSecret(algorithm.name) ? 'oct' : algorithm.name.startsWith('RSA') ? 'RSA' : algorithm.name === 'ECDSA' ? 'EC' : 'OKP';
    if (k.kty !== kty) throw dataError(`the JWK's kty is ${k.kty}; ${algorithm.name} needs ${kty}`);
    const curve = kty === 'EC' ? algorithm.curve : kty === 'OKP' ? 'Ed25519' : undefined;
    if (curve !== undefined && k.crv !== curve) throw dataError(`the JWK's crv is ${k.crv}, not ${curve}`);
    const type = kty === 'oct' ? 'secret' : k.d === undefined ? 'public' : 'private';
    const good = usagesOf(algorithm.name, type);
    if (usages.some(u => !good.includes(u))) throw syntax(`the usages of this key are ${good.join(' and ')}`);
    if (data.oth !== undefined) throw dom('NotSupportedError', 'RSA keys with more than two primes are not part of js-v1');
    const use = algorithm.name === 'RSA-OAEP' || algorithm.name.startsWith('AES-') ? 'enc' : 'sig';
    if (usages.length > 0 && k.use !== undefined && k.use !== use) throw dataError(`the JWK's use is ${k.use}, not ${use}`);
    if (data.key_ops !== undefined) {
      const ops = [...data.key_ops].map(String);
      if (new Set(ops).size !== ops.length) throw dataError('the JWK names a key_op twice');
      if (usages.some(u => !ops.includes(u))) throw dataError("the JWK's key_ops do not allow the usages");
    }
    if (data.ext !== undefined && !data.ext && extractable) throw dataError('the JWK must not be extractable');
    return [k, type];
  };

  const makeKey = (format, data, algorithm, extractable, asked) => {
    const usages = every.filter(u => asked.includes(u));
    const unknown = asked.find(u => !every.includes(u));
    if (unknown !== undefined) throw new TypeError(`"${unknown}" is no key usage`);
    if (!['raw', 'pkcs8', 'spki', 'jwk'].includes(format)) throw new TypeError(`importKey: a format is raw, pkcs8, spki or jwk, not "${format.slice(0, 40)}"`);
    const secret = isSecret(algorithm.name);
    let raw, jwk;
    if (format === 'jwk') {
      [jwk] = fromJWK(data, algorithm, extractable, usages);
      raw = failed($op.keyImport(format, algorithm.name, algorithm.curve, JSON.stringify(jwk)));
    } else {
      if (!(data instanceof ArrayBuffer) && !ArrayBuffer.isView(data)) throw new TypeError(`importKey: ${format} key data is an ArrayBuffer or a view of one`);
      if (secret !== (format === 'raw') && !(format === 'raw' && (algorithm.name === 'ECDSA' || algorithm.name === 'Ed25519'))) {
        throw dom('NotSupportedError', `${algorithm.name} keys have no ${format} format`);
      }
      const good = usagesOf(algorithm.name, secret ? 'secret' : format === 'pkcs8' ? 'private' : 'public');
      if (usages.some(u => !good.includes(u))) throw syntax(`the usages of this key are ${good.join(' and ')}`);
      raw = failed($op.keyImport(format, algorithm.name, algorithm.curve, core.bytesOf(data)));
    }
    const head = new Uint8Array(raw, 0, 4), more = head[3];
    const k = {
      name: algorithm.name, hash: algorithm.hash, curve: algorithm.curve, extractable, usages,
      type: { s: 'secret', p: 'public', k: 'private' }[String.fromCharCode(head[0])],
      bits: head[1] * 256 + head[2], exponent: new Uint8Array(raw.slice(4, 4 + more)), material: raw.slice(4 + more),
    };
    if (secret) {
      let size = k.material.byteLength;
      k.length = size * 8;
      if (k.name === 'HMAC') {
        if (size === 0) throw dataError('an HMAC key is not empty');
        if (algorithm.length !== undefined) {
          if (algorithm.length > size * 8 || algorithm.length <= size * 8 - 8) throw dataError(`the length ${algorithm.length} does not fit a key of ${size} bytes`);
          k.length = algorithm.length;
          const last = new Uint8Array(k.material);
          last[size - 1] &= 0xFF << (size * 8 - algorithm.length);
        }
      } else if (![16, 24, 32].includes(size)) throw dataError(`an AES key has 128, 192 or 256 bits, not ${size * 8}`);
    }
    if (jwk && jwk.alg !== undefined) {
      const good = algOf(algorithm, k.material.byteLength);
      if (good !== undefined && jwk.alg !== good && !(good === 'EdDSA' && jwk.alg === 'Ed25519')) throw dataError(`the JWK's alg is ${jwk.alg}, not ${good}`);
    }
    if (k.type !== 'public' && usages.length === 0) throw syntax('a secret or private key needs at least one usage');
    if (k.type === 'public') k.extractable = extractable;
    allowed = true;
    try {
      const made = new CryptoKey();
      inside(made, k);
      return made;
    } finally {
      allowed = false;
    }
  };
  return { CryptoKey, keyOf: k => inside(k), makeKey };
})
