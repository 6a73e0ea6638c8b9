export { getCanonicalLocales } from '@formatjs/intl-getcanonicallocales';
export { supportedValuesOf } from './supported.js';
