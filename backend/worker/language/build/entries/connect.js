// connect tells a formatter which locales there are. The data of one is read
// when it is first asked for.
let tags;

export const connect = (Of, kind) => {
  tags ??= $op.intlData('tags');
  const own = tags[kind], real = Of.localeData;
  const put = (tag, value) => Object.defineProperty(real, tag, { value, writable: true, enumerable: true, configurable: true });
  const fill = file => {
    Of.localeData = {};
    try {
      const data = $op.intlData(`${kind}/${file}`);
      if (kind === 'datetime') data.timeZoneName = $lazy([], zone => $op.intlLookup(`zones/${file}`, zone));
      Of.__addLocaleData({ locale: file, data });
      const value = Of.localeData[file];
      for (const tag of Object.keys(own)) if (own[tag] === file) put(tag, value);
    } finally {
      Of.localeData = real;
    }
  };
  for (const tag of Object.keys(own)) {
    Of.availableLocales.add(tag);
    Object.defineProperty(real, tag, { enumerable: true, configurable: true, get() { fill(own[tag]); return real[tag]; } });
  }
  Of.__defaultLocale = 'en-US';
  return Of;
};
export const locales = kind => (tags ??= $op.intlData('tags'))[kind];
