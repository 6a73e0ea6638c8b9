// Reads an algorithm as it was passed: which ones there are for each operation,
// and what they need.
(function ($op, $module) {
  'use strict';
  const core = $module('core');
  const { dom } = $module('dom');
  const hashes = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
  const rsa = ['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP'], aes = ['AES-CBC', 'AES-CTR', 'AES-GCM'];
  const signs = ['HMAC', 'RSASSA-PKCS1-v1_5', 'RSA-PSS', 'ECDSA', 'Ed25519'], ciphers = [...aes, 'RSA-OAEP'];
  const offered = {
    digest: hashes, sign: signs, verify: signs, encrypt: ciphers, decrypt: ciphers,
    importKey: ['HMAC', 'ECDSA', 'Ed25519', ...rsa, ...aes],
  };
  const found = (operation, given) => {
    let name = given;
    if (typeof given === 'object' && given !== null || typeof given === 'function') {
      name = given.name;
      if (name === undefined) throw new TypeError('the algorithm has no name');
    }
    const text = `${name}`, low = text.toLowerCase();
    const is = offered[operation].find(n => n.toLowerCase() === low);
    if (is === undefined) throw dom('NotSupportedError', `${operation} does not know the algorithm "${text.slice(0, 60)}": it has ${offered[operation].join(', ')}`);
    return is;
  };
  const bytes = (from, name, needed) => {
    const value = from[name];
    if (value === undefined && !needed) return undefined;
    if (!(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value)) throw new TypeError(`the algorithm's ${name} is an ArrayBuffer or a view of one`);
    return core.bytesOf(value).slice();
  };
  const number = (from, name, most) => {
    const value = +from[name];
    if (!(value >= 0 && value <= most)) throw new TypeError(`the algorithm's ${name} is a number from 0 to ${most}`);
    return Math.trunc(value);
  };
  const refuse = text => dom('OperationError', text);

  // normal gives {name} and, where they belong to the operation, hash, curve,
  // length, saltLength, iv, more, bits and label.
  const normal = (operation, given) => {
    const name = found(operation, given), out = { name };
    const of = typeof given === 'object' && given !== null || typeof given === 'function' ? given : {};
    const hash = () => {
      if (of.hash === undefined) throw new TypeError(`${name} needs a hash`);
      return found('digest', of.hash);
    };
    if (operation === 'digest') return out;
    if (operation === 'importKey') {
      if (name === 'HMAC' || rsa.includes(name)) out.hash = hash();
      if (name === 'HMAC' && of.length !== undefined) out.length = number(of, 'length', 0xFFFFFFFF);
      if (name === 'ECDSA') {
        if (of.namedCurve === undefined) throw new TypeError('ECDSA needs a namedCurve');
        out.curve = `${of.namedCurve}`;
        if (!['P-256', 'P-384', 'P-521'].includes(out.curve)) throw dom('NotSupportedError', `the curves are P-256, P-384 and P-521, not "${out.curve.slice(0, 40)}"`);
      }
      return out;
    }
    switch (name) {
      case 'ECDSA': out.hash = hash(); break;
      case 'RSA-PSS':
        if (of.saltLength === undefined) throw new TypeError('RSA-PSS needs a saltLength');
        out.saltLength = number(of, 'saltLength', 0xFFFFFFFF);
        if (out.saltLength > 1024) throw refuse(`a salt of ${out.saltLength} bytes does not fit any key`);
        break;
      case 'RSA-OAEP': out.label = bytes(of, 'label', false); break;
      case 'AES-CBC':
        out.iv = bytes(of, 'iv', true);
        if (out.iv.length !== 16) throw refuse(`AES-CBC: the iv has 16 bytes, not ${out.iv.length}`);
        break;
      case 'AES-CTR':
        out.iv = bytes(of, 'counter', true);
        out.bits = number(of, 'length', 255);
        if (out.iv.length !== 16) throw refuse(`AES-CTR: the counter has 16 bytes, not ${out.iv.length}`);
        if (out.bits < 1 || out.bits > 128) throw refuse(`AES-CTR: the length of the counter is 1 to 128 bits, not ${out.bits}`);
        break;
      case 'AES-GCM':
        out.iv = bytes(of, 'iv', true);
        out.more = bytes(of, 'additionalData', false);
        out.bits = of.tagLength === undefined ? 128 : number(of, 'tagLength', 255);
        if (![32, 64, 96, 104, 112, 120, 128].includes(out.bits)) throw refuse(`AES-GCM: a tag has 32, 64, 96, 104, 112, 120 or 128 bits, not ${out.bits}`);
        break;
    }
    return out;
  };
  return { normal };
})
