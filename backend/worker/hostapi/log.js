// ctx.log, and what console writes to.
(function ($op) {
  'use strict';
  const shown = value => {
    if (typeof value === 'string') return value;
    try {
      return $op.inspect(value);
    } catch {
      return '[a value that cannot be shown]';
    }
  };
  const at = level => function (...values) {
    let text = '';
    for (let i = 0; i < values.length; i++) text += i === 0 ? shown(values[i]) : ` ${shown(values[i])}`;
    $op.log(level, text);
  };
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
})
