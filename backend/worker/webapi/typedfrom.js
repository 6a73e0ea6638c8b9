// Makes TypedArray.from read texts, as in Uint8Array.from(atob(data), c =>
// c.charCodeAt(0)): the engine's own takes objects only. It is run before a
// script that mentions one.
(function ($op, $module) {
  'use strict';
  const typed = Object.getPrototypeOf(Uint8Array), native = typed.from;
  const { hidden } = $module('core');
  hidden(typed, 'from', {
    from(source, ...rest) { return native.call(this, typeof source === 'string' ? [...source] : source, ...rest); },
  }.from);
  return {};
})
