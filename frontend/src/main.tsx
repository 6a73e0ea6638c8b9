import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/tokens.css';
import { begin, takeLoginCode } from './app/session';
import { loadLanguage } from './i18n/language';

// The platform is asked while the page's code is on its way.
const session = begin(takeLoginCode());

// The language comes first: tables of texts are made when their modules are read.
void loadLanguage()
  .then(() => import('./start'))
  .then(({ start }) => start(session));
