import { PluralRules } from '@formatjs/intl-pluralrules';
import data from 'plural-data';
for (const locale of Object.keys(data)) PluralRules.__addLocaleData(data[locale]());
PluralRules.__defaultLocale = 'en-US';
export { PluralRules };
