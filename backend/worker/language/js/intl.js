// Intl. Each of its members comes into being, with its part of FormatJS, when
// it is first touched; made has those that did.
(function ($op, $module) {
  'use strict';
  const { defineProperty } = Object;
  const { hidden } = $module('define');
  const Intl = {}, made = {};
  defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
  const lazily = (name, make) => defineProperty(Intl, name, {
    configurable: true, enumerable: false,
    get() {
      const value = made[name] ??= make();
      hidden(Intl, name, value);
      return value;
    },
    set(value) { hidden(Intl, name, value); },
  });
  for (const [name, part] of [['Collator', 'collator'], ['DateTimeFormat', 'datetime'], ['DisplayNames', 'display'], ['ListFormat', 'list'],
    ['Locale', 'locale'], ['NumberFormat', 'number'], ['PluralRules', 'plural'], ['RelativeTimeFormat', 'relative'], ['Segmenter', 'segmenter']]) {
    lazily(name, () => {
      const Of = $module(`intl/${part}`)[name];
      for (const key of Object.getOwnPropertyNames(Of)) {
        // FormatJS keeps its registers on the constructors.
        if (key.startsWith('__') || ['localeData', 'availableLocales', 'tzData', 'polyfilled', 'calendarData', 'relevantExtensionKeys',
          'getDefaultLocale', 'getDefaultTimeZone'].includes(key)) {
          defineProperty(Of, key, { enumerable: false });
        }
      }
      return Of;
    });
  }
  for (const name of ['getCanonicalLocales', 'supportedValuesOf']) {
    lazily(name, () => {
      const f = $module('intl/canonical')[name];
      return { [name](x) { return f(x); } }[name];
    });
  }
  // $module keeps what a module exports once it has run; the parts ask for Intl.
  return { Intl, made };
})
