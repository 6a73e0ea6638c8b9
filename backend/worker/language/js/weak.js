// WeakMap and WeakSet take symbols. Those that are keys are held for as long as
// the map; a run is over soon.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const symbolOf = key => {
    if (typeof key !== 'symbol' || Symbol.keyFor(key) !== undefined) return false;
    return true;
  };
  const extend = (Weak, Strong, methods) => {
    const strong = new WeakMap();
    const nativeHas = Weak.prototype.has;
    const { get } = WeakMap.prototype, { set } = WeakMap.prototype;
    for (const name of methods) {
      const native = Weak.prototype[name];
      hidden(Weak.prototype, name, { [name](key, ...rest) {
        if (!symbolOf(key)) return native.call(this, key, ...rest);
        nativeHas.call(this, this); // throws for another receiver
        let symbols = get.call(strong, this);
        if (!symbols) set.call(strong, this, symbols = new Strong());
        const out = symbols[name](key, ...rest);
        return out === symbols ? this : out;
      } }[name]);
    }
  };
  extend(WeakMap, Map, ['has', 'get', 'set', 'delete']);
  extend(WeakSet, Set, ['has', 'add', 'delete']);
  return {};
})
