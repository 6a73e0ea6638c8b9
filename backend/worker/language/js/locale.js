// toLocaleString of numbers, dates and arrays, which follows Intl.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const parts = () => $module('intl').Intl;
  const numberValue = Number.prototype.valueOf, bigValue = BigInt.prototype.valueOf, timeOf = Date.prototype.getTime;
  const replace = (target, methods) => { for (const name of Object.keys(methods)) hidden(target, name, methods[name]); };

  replace(Number.prototype, { toLocaleString(locales, options) {
    const n = numberValue.call(this);
    return new (parts().NumberFormat)(locales, options).format(n);
  } });
  replace(BigInt.prototype, { toLocaleString(locales, options) {
    const n = bigValue.call(this);
    return new (parts().NumberFormat)(locales, options).format(n);
  } });

  const dateParts = ['weekday', 'year', 'month', 'day'];
  const timeParts = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];
  const formatted = (date, locales, given, required, defaults) => {
    const t = timeOf.call(date);
    if (t !== t) return 'Invalid Date';
    const options = Object.create(given === undefined ? null : Object(given));
    const { dateStyle, timeStyle } = options;
    if (required === 'date' && timeStyle !== undefined) throw new TypeError('timeStyle is not an option of toLocaleDateString');
    if (required === 'time' && dateStyle !== undefined) throw new TypeError('dateStyle is not an option of toLocaleTimeString');
    const asked = [...(required !== 'time' ? dateParts : []), ...(required !== 'date' ? timeParts : [])];
    if (dateStyle === undefined && timeStyle === undefined && asked.every(name => options[name] === undefined)) {
      if (defaults !== 'time') for (const name of ['year', 'month', 'day']) options[name] = 'numeric';
      if (defaults !== 'date') for (const name of ['hour', 'minute', 'second']) options[name] = 'numeric';
    }
    return new (parts().DateTimeFormat)(locales, options).format(t);
  };
  replace(Date.prototype, {
    toLocaleString(locales, options) { return formatted(this, locales, options, 'any', 'all'); },
    toLocaleDateString(locales, options) { return formatted(this, locales, options, 'date', 'date'); },
    toLocaleTimeString(locales, options) { return formatted(this, locales, options, 'time', 'time'); },
  });

  const joined = (list, length, locales, options) => {
    const out = [];
    for (let i = 0; i < length; i++) {
      const item = list[i];
      out.push(item === undefined || item === null ? '' : `${item.toLocaleString(locales, options)}`);
    }
    return out.join(',');
  };
  const open = new Set(); // arrays that hold themselves
  replace(Array.prototype, { toLocaleString(locales, options) {
    const list = Object(this);
    if (open.has(list)) return '';
    open.add(list);
    try { return joined(list, Math.min(Number(list.length) || 0, Number.MAX_SAFE_INTEGER), locales, options); } finally { open.delete(list); }
  } });
  const Typed = Object.getPrototypeOf(Uint8Array.prototype);
  replace(Typed, { toLocaleString(locales, options) { return joined(this, this.length, locales, options); } });

  return {};
})
