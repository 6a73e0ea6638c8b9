// The methods of strings that take a language, which follow Intl.
(function ($op, $module) {
  'use strict';
  const { hidden } = $module('define');
  const parts = () => $module('intl').Intl;
  const stringOf = value => {
    if (value === undefined || value === null) throw new TypeError('String.prototype method called on null or undefined');
    return `${value}`;
  };
  const compare = String.prototype.localeCompare;
  const languageOf = locales => {
    const list = parts().getCanonicalLocales(locales);
    return list.length ? list[0] : 'en-US';
  };
  const lower = String.prototype.toLowerCase, upper = String.prototype.toUpperCase;
  const special = /^(?:az|el|lt|nl|tr)\b/;
  const methods = {
    localeCompare(that, locales, options) {
      const text = stringOf(this);
      if (locales === undefined && options === undefined) return compare.call(text, `${that}`);
      return new (parts().Collator)(locales, options).compare(text, `${that}`);
    },
    toLocaleLowerCase(locales) {
      const text = stringOf(this), language = locales === undefined ? 'en' : languageOf(locales);
      return special.test(language) ? $op.caseOf(text, language, false) : lower.call(text);
    },
    toLocaleUpperCase(locales) {
      const text = stringOf(this), language = locales === undefined ? 'en' : languageOf(locales);
      return special.test(language) ? $op.caseOf(text, language, true) : upper.call(text);
    },
  };
  for (const name of Object.keys(methods)) hidden(String.prototype, name, methods[name]);
  return {};
})
