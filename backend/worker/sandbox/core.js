// What the other scripts of the prelude share. It is run when the first of them
// is needed, and takes what most of them use from the globals then. Byte arrays
// are not among that: the engine makes their thirty methods when they are first
// named, which costs more than a host call.
(function ($op) {
  'use strict';
  const { defineProperty } = Object;
  const ErrorOf = Error, PromiseOf = Promise;
  const calls = { __proto__: null }; // by number

  const hidden = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });

  // An error of the host: its message begins with its code, and it has the code
  // as a property too.
  const coded = (code, text, error = new ErrorOf()) => {
    hidden(error, 'message', `${code}: ${text}`);
    hidden(error, 'code', code);
    return error;
  };

  // wait gives the promise of the call that begin() starts; begin returns its
  // number. The error is made now, so that it knows the author's line.
  const wait = (begin, decode) => {
    const error = new ErrorOf();
    return new PromiseOf((resolve, reject) => { calls[begin()] = { resolve, reject, decode, error }; });
  };

  // deliver ends a call: well with a value, or with a code and a text.
  const deliver = (n, ok, first, second) => {
    const call = calls[n];
    if (call === undefined) return;
    delete calls[n];
    if (!ok) { call.reject(coded(first, second, call.error)); return; }
    try {
      call.resolve(call.decode ? call.decode(first, second) : first);
    } catch (e) {
      call.reject(e);
    }
  };

  const bytes = buffer => new Uint8Array(buffer);
  // bytesOf views whatever holds bytes.
  const bytesOf = input => {
    if (input === undefined) return new Uint8Array(0);
    if (input instanceof ArrayBuffer) return new Uint8Array(input);
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    throw new TypeError('expected an ArrayBuffer or a view of one');
  };
  return { hidden, coded, wait, deliver, bytes, bytesOf };
})
