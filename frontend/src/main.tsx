import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/tokens.css';
import { loadLanguage } from './i18n/language';

// The language comes first: tables of texts are made when their modules are read.
void loadLanguage()
  .then(() => import('./start'))
  .then(({ start }) => start());
