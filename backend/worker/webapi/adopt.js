// Makes a promise of an object that a handler returned: of what its then gives,
// or of itself.
(function () {
  'use strict';
  return async value => value;
})
