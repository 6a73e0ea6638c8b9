// What import(...) has become, and what the names that js-v1 does not have lead
// to (compile's list of them). typeof never comes here, and a function that puts
// its own value under such a name finds it.
(function ($op) {
  'use strict';
  const refused = () => {
    throw new TypeError('import() is not part of js-v1: packages and other files cannot be loaded');
  };
  const all = $op.absentNames();
  for (let i = 0; i < all.length; i += 2) {
    const name = all[i];
    Object.defineProperty(refused, name, {
      get() {
        if (name in globalThis) return globalThis[name];
        throw new ReferenceError(`${name} is not defined: it is not part of js-v1. ${all[i + 1]}`);
      },
      set(value) { globalThis[name] = value; },
    });
  }
  return refused;
})
