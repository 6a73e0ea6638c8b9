// What lowered async iteration and using declarations look up and the engine
// does not have. It is run before a script that mentions one of them.
(function () {
  'use strict';
  for (const name of ['asyncIterator', 'dispose', 'asyncDispose']) {
    if (!Symbol[name]) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) });
  }
  return {};
})
