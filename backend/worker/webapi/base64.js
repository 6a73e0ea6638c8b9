// atob and btoa.
(function ($op, $module) {
  'use strict';
  const { dom } = $module('dom');
  return {
    atob(data) {
      if (arguments.length === 0) throw new TypeError('atob needs a text');
      const text = $op.atob(`${data}`);
      if (text === undefined) throw dom('InvalidCharacterError', 'atob: the text is not base64');
      return text;
    },
    btoa(data) {
      if (arguments.length === 0) throw new TypeError('btoa needs a text');
      const text = $op.btoa(`${data}`);
      if (text === undefined) throw dom('InvalidCharacterError', 'btoa: the text has characters above U+00FF; encode it with TextEncoder first');
      return text;
    },
  };
})
