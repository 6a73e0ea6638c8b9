// What the standard's Annex B has beside the methods of String.prototype.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const add = (target, methods) => {
    for (const name of Object.keys(methods)) if (!(name in target)) hidden(target, name, methods[name]);
  };
  const thisYear = Date.prototype.getFullYear, changeYear = Date.prototype.setFullYear;
  add(Date.prototype, {
    getYear() { return thisYear.call(this) - 1900; },
    setYear(year) {
      year = Number(year);
      const whole = Math.trunc(year);
      return changeYear.call(this, whole >= 0 && whole <= 99 ? whole + 1900 : year);
    },
    toGMTString: Date.prototype.toUTCString,
  });
  const accessor = (target, name, part) => {
    if (typeof part.get !== 'function' && typeof part.set !== 'function') throw new TypeError('an accessor needs a function');
    defineProperty(Object(target), name, { ...part, enumerable: true, configurable: true });
  };
  const find = (target, name) => {
    for (let o = Object(target); o !== null; o = getPrototypeOf(o)) {
      const own = getOwnPropertyDescriptor(o, name);
      if (own) return own;
    }
    return {};
  };
  add(Object.prototype, {
    __defineGetter__(name, get) { accessor(this, name, { get }); },
    __defineSetter__(name, set) { accessor(this, name, { set }); },
    __lookupGetter__(name) { return find(this, name).get; },
    __lookupSetter__(name) { return find(this, name).set; },
  });
  return {};
})
