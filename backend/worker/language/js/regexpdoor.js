// RegExp for a script that may reach it under a name it makes at run time, as a
// global or as the constructor of a literal: the first look brings the one that
// translates.
(function ($op, $module) {
  'use strict';
  const Native = /(?:)/.constructor, { prototype } = Native;
  Object.defineProperty(prototype, 'constructor', {
    get() { return $module('regexp').RegExp; },
    set(value) {
      Object.defineProperty(this, 'constructor', { value, writable: true, enumerable: this !== prototype, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
  delete globalThis.RegExp; // what is not there is asked of the prelude
  return { Native };
})
