// What the scripts of this package share. It touches nothing of the engine that
// would have to be made for it.
(function () {
  'use strict';
  const { defineProperty } = Object;
  const hidden = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
  return { hidden };
})
