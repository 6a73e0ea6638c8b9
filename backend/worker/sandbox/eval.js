// eval, which throws.
(function ($op, $module) {
  'use strict';
  const { coded } = $module('core');
  return { eval: { eval(x) { throw coded('EVAL_DENIED', 'eval is not part of js-v1: code cannot be made from text.'); } }.eval };
})
