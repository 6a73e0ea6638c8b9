// ctx.emit(event, payload), and the older emit({type, ...}).
(function ($op) {
  'use strict';
  const emit = (event, payload) => {
    if (typeof event === 'object' && event !== null) {
      const { type, ...rest } = event;
      $op.emit(`${type}`, $op.json(payload === undefined ? rest : payload));
      return;
    }
    $op.emit(`${event}`, payload === undefined ? undefined : $op.json(payload));
  };
  return { emit };
})
