export { Locale } from '@formatjs/intl-locale';
