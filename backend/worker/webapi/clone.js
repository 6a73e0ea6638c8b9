// structuredClone. Objects that are still to be filled wait in a list instead of
// on the stack, so that depth costs nothing but memory.
(function ($op, $module) {
  'use strict';
  const { dom, hosts } = $module('dom');
  const { defineProperty, getPrototypeOf, getOwnPropertyDescriptor, keys } = Object;
  const { isArray } = Array;
  const view = ArrayBuffer.isView;
  const typed = getPrototypeOf(Uint8Array.prototype);
  const getter = (of, name) => getOwnPropertyDescriptor(of, name).get;
  const tagOf = getter(typed, Symbol.toStringTag), timeOf = Date.prototype.getTime;
  const fields = {
    typed: [getter(typed, 'buffer'), getter(typed, 'byteOffset'), getter(typed, 'length')],
    data: [getter(DataView.prototype, 'buffer'), getter(DataView.prototype, 'byteOffset'), getter(DataView.prototype, 'byteLength')],
  };
  const sliced = ArrayBuffer.prototype.slice;
  const eachOfMap = Map.prototype.forEach, eachOfSet = Set.prototype.forEach, put = Map.prototype.set, add = Set.prototype.add;
  const types = { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array };
  const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const values = { Number: Number.prototype.valueOf, String: String.prototype.valueOf, Boolean: Boolean.prototype.valueOf, BigInt: BigInt.prototype.valueOf };
  // What the engine has no class for is tried out: these throw for other objects.
  const plain = Object.prototype;
  const probes = { BigInt: BigInt.prototype.valueOf, Symbol: Symbol.prototype.valueOf, WeakMap: of => WeakMap.prototype.has.call(of), WeakSet: of => WeakSet.prototype.has.call(of) };
  const kindOf = of => {
    const kind = $op.kindOf(of);
    if (kind !== 'Object' || getPrototypeOf(of) === plain || view(of)) return kind;
    for (const name of keys(probes)) {
      try {
        if (name[0] === 'W') probes[name](of);
        else probes[name].call(of);
        return name;
      } catch {}
    }
    return kind;
  };
  const refuse = what => dom('DataCloneError', `${what} cannot be cloned.`);
  const setTo = (target, key, value) => defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });

  const structuredClone = function structuredClone(value, options) {
    if (arguments.length === 0) throw new TypeError('structuredClone needs a value');
    if (options !== undefined && options !== null && typeof options !== 'object') throw new TypeError('structuredClone: the options are an object');
    const transfer = options && options.transfer !== undefined ? [...options.transfer] : [];
    const seen = new Map(), waiting = [];
    for (const one of transfer) {
      if ($op.kindOf(one) !== 'ArrayBuffer') throw refuse('A value of transfer that is no ArrayBuffer');
      if (seen.has(one)) throw refuse('An ArrayBuffer that stands in transfer twice');
      if ($op.isDetached(one)) throw refuse('A detached ArrayBuffer');
      seen.set(one, one); // its copy is made below, in one piece with taking it
    }
    const moved = new Map();
    const buffer = of => {
      if (moved.has(of)) return moved.get(of);
      const there = seen.get(of);
      if (there !== undefined && there !== of) return there;
      if ($op.isDetached(of)) throw refuse('A detached ArrayBuffer');
      const copy = sliced.call(of, 0);
      (there === of ? moved : seen).set(of, copy);
      return copy;
    };
    const viewed = (of, get, make) => {
      const source = get[0].call(of);
      if ($op.isDetached(source)) throw refuse('A view of a detached ArrayBuffer');
      return make(buffer(source), get[1].call(of), get[2].call(of));
    };

    // begin gives the clone of one value, empty if it has to wait.
    const begin = of => {
      const type = typeof of;
      if (type === 'symbol') throw refuse(`${String(of)}`);
      if (of === null || type !== 'object' && type !== 'function') return of;
      const kind = kindOf(of);
      if (kind === 'ArrayBuffer') return buffer(of);
      const there = seen.get(of);
      if (there !== undefined) return there;
      let out;
      switch (kind) {
        case 'Function': throw refuse(`The function ${String(of.name).slice(0, 60)}`);
        case 'Proxy': throw refuse('A Proxy');
        case 'Date': out = new Date(timeOf.call(of)); break;
        case 'RegExp': out = new RegExp(of.source, of.flags); break;
        case 'Number': case 'String': case 'Boolean': case 'BigInt': out = Object(values[kind].call(of)); break;
        case 'Map': {
          out = new Map();
          const list = [];
          eachOfMap.call(of, (v, k) => list.push(k, v));
          waiting.push({ to: out, list, map: true });
          break;
        }
        case 'Set': {
          out = new Set();
          const list = [];
          eachOfSet.call(of, v => list.push(v));
          waiting.push({ to: out, list, map: false });
          break;
        }
        case 'Error': {
          const name = of.name, C = errors[name === undefined ? 'Error' : `${name}`] || Error;
          out = new C();
          const own = getOwnPropertyDescriptor(of, 'message');
          delete out.message;
          if (own && 'value' in own) defineProperty(out, 'message', { value: `${own.value}`, writable: true, configurable: true });
          defineProperty(out, 'stack', { value: `${of.stack}`, writable: true, configurable: true });
          if (getOwnPropertyDescriptor(of, 'cause')) waiting.push({ to: out, from: of, cause: true });
          break;
        }
        default:
          if (view(of)) {
            const name = tagOf.call(of);
            out = name === undefined ? viewed(of, fields.data, (b, at, n) => new DataView(b, at, n))
              : viewed(of, fields.typed, (b, at, n) => new types[name](b, at, n));
            break;
          }
          if (['Symbol', 'WeakMap', 'WeakSet', 'Promise', 'Generator', 'WeakRef'].includes(kind)) throw refuse(`A ${kind}`);
          for (let p = getPrototypeOf(of); p !== null; p = getPrototypeOf(p)) {
            if (hosts.includes(p)) throw refuse(`A ${p.constructor.name}`);
          }
          out = isArray(of) ? new Array(of.length) : {};
          waiting.push({ to: out, from: of });
      }
      seen.set(of, out);
      return out;
    };

    const clone = begin(value);
    for (let next; (next = waiting.pop()) !== undefined;) {
      const { to, from, list } = next;
      if (list) {
        for (let i = 0; i < list.length; i++) {
          if (next.map) put.call(to, begin(list[i]), begin(list[++i]));
          else add.call(to, begin(list[i]));
        }
      } else if (next.cause) defineProperty(to, 'cause', { value: begin(from.cause), writable: true, configurable: true });
      else for (const key of keys(from)) if (getOwnPropertyDescriptor(from, key)) setTo(to, key, begin(from[key]));
    }
    for (const one of transfer) {
      buffer(one);
      $op.take(one);
    }
    return clone;
  };
  return { structuredClone };
})
