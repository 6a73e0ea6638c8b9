// Collator: the comparison itself is Go's (golang.org/x/text/collate).
import { LookupSupportedLocales, ResolveLocale } from '@formatjs/intl-localematcher';
import { locales } from './connect.js';

const slots = new WeakMap();
const slotsOf = c => {
  const s = slots.get(c);
  if (!s) throw new TypeError('this is not an Intl.Collator');
  return s;
};
const pick = (options, name, values, otherwise) => {
  let value = options[name];
  if (value === undefined) return otherwise;
  value = `${value}`;
  if (!values.includes(value)) throw new RangeError(`${name} cannot be ${value}`);
  return value;
};
const keys = ['co', 'kf', 'kn'];
const available = Object.keys(locales('number'));
const data = Object.fromEntries(available.map(tag => [tag, { co: [null], kn: ['false', 'true'], kf: ['false', 'lower', 'upper'] }]));

function Collator(tags, given) {
  const self = new.target ? this : Object.create(Collator.prototype);
  const requested = Intl.getCanonicalLocales(tags);
  const options = given === undefined ? Object.create(null) : Object(given);
  const usage = pick(options, 'usage', ['sort', 'search'], 'sort');
  const localeMatcher = pick(options, 'localeMatcher', ['lookup', 'best fit'], 'best fit');
  const wanted = { localeMatcher };
  if (options.numeric !== undefined) wanted.kn = `${!!options.numeric}`;
  const caseFirst = pick(options, 'caseFirst', ['upper', 'lower', 'false']);
  if (caseFirst !== undefined) wanted.kf = caseFirst;
  const r = ResolveLocale(new Set(available), requested, wanted, keys, data, () => 'en-US');
  const sensitivity = pick(options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant');
  const ignorePunctuation = options.ignorePunctuation === undefined ? false : !!options.ignorePunctuation;
  const numeric = r.kn === 'true' || r.kn === true;
  slots.set(self, { locale: r.locale, dataLocale: r.dataLocale ?? r.locale, usage, sensitivity, ignorePunctuation, collation: 'default',
    numeric, caseFirst: r.kf ?? 'false', compare: undefined });
  return self;
}
Object.defineProperty(Collator, 'prototype', { writable: false });
Object.defineProperty(Collator, 'length', { value: 0, configurable: true });
const method = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true });
Object.defineProperty(Collator.prototype, 'compare', { configurable: true, get() {
  const s = slotsOf(this);
  return s.compare ??= (a, b) => {
    a = `${a}`;
    b = `${b}`;
    if (a === b) return 0;
    return $op.collate(s.dataLocale, s.sensitivity, s.numeric, s.ignorePunctuation, s.caseFirst, a, b);
  };
} });
method(Collator.prototype, 'resolvedOptions', { resolvedOptions() {
  const { locale, usage, sensitivity, ignorePunctuation, collation, numeric, caseFirst } = slotsOf(this);
  return { locale, usage, sensitivity, ignorePunctuation, collation, numeric, caseFirst };
} }.resolvedOptions);
Object.defineProperty(Collator.prototype, Symbol.toStringTag, { value: 'Intl.Collator', configurable: true });
method(Collator, 'supportedLocalesOf', { supportedLocalesOf(tags) {
  return LookupSupportedLocales(available, Intl.getCanonicalLocales(tags));
} }.supportedLocalesOf);
export { Collator };
