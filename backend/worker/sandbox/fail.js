// Reads what a function threw. Reading runs the author's getters and traps, so
// each read is on its own, and what comes out is text.
(function ($op) {
  'use strict';
  return thrown => {
    let message = 'The function threw a value that cannot be described.', stack = '';
    const object = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function';
    try {
      const text = object ? thrown.message : thrown;
      if (typeof text === 'string') message = text;
      else if (object && text === undefined) message = $op.inspect(thrown);
      else message = $op.inspect(text);
    } catch {}
    try {
      const text = object ? thrown.stack : '';
      if (typeof text === 'string') stack = text;
    } catch {}
    return [message, stack];
  };
})
