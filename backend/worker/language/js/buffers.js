// ArrayBuffer: transfer is there; buffers that grow are refused, because the
// engine would make fixed ones without a word.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const Native = ArrayBuffer;
  const { prototype } = Native;
  const lengthOf = getOwnPropertyDescriptor(prototype, 'byteLength').get;
  const refused = 'resizable ArrayBuffers are not part of js-v1 here: make a new one and copy';

  function Buffer(length, options) {
    if (new.target === undefined) throw new TypeError("Constructor ArrayBuffer requires 'new'");
    if (typeof options === 'object' && options !== null && options.maxByteLength !== undefined) throw new TypeError(refused);
    return Reflect.construct(Native, [length], new.target);
  }
  defineProperty(Buffer, 'name', { value: 'ArrayBuffer', configurable: true });
  defineProperty(Buffer, 'length', { value: 1, configurable: true });
  defineProperty(Buffer, 'prototype', { value: prototype, writable: false });
  for (const name of getOwnPropertyNames(Native)) {
    if (!['prototype', 'length', 'name'].includes(name)) defineProperty(Buffer, name, getOwnPropertyDescriptor(Native, name));
  }
  defineProperty(Buffer, Symbol.species, { get() { return this; }, configurable: true });
  hidden(prototype, 'constructor', Buffer);
  hidden(globalThis, 'ArrayBuffer', Buffer);

  const gone = new WeakSet();
  const moved = (buffer, length) => {
    const had = lengthOf.call(buffer);
    const to = length === undefined ? had : Math.trunc(Number(length)) || 0;
    if (to < 0 || to > Number.MAX_SAFE_INTEGER) throw new RangeError('Invalid array buffer length');
    if (gone.has(buffer)) throw new TypeError('the ArrayBuffer is detached');
    const out = new Native(to);
    new Uint8Array(out).set(new Uint8Array(buffer, 0, Math.min(had, to)));
    $op.detach(buffer);
    gone.add(buffer);
    return out;
  };
  hidden(prototype, 'transfer', { transfer(length) { return moved(this, length); } }.transfer);
  hidden(prototype, 'transferToFixedLength', { transferToFixedLength(length) { return moved(this, length); } }.transferToFixedLength);
  hidden(prototype, 'resize', { resize() { lengthOf.call(this); throw new TypeError(refused); } }.resize);
  const getter = (name, get) => defineProperty(prototype, name, { get, configurable: true });
  getter('resizable', function () { lengthOf.call(this); return false; });
  getter('maxByteLength', function () { return lengthOf.call(this); });
  getter('detached', function () { lengthOf.call(this); return gone.has(this); });
  return {};
})
