import { t } from '../../i18n/t';

/** The parts of Settings that the palette leads to. An id is that of the heading. */
export const sections: readonly { id: string; title: string; about: string }[] = [
  { id: 'appearance', title: t('Appearance'), about: t('theme, light, dark') },
  { id: 'history', title: t('History and validation'), about: t('how long invocations are kept') },
  { id: 'protocols', title: t('Payments and protocols'), about: t('relaxed payments, nanocents, older agent-to-agent clients') },
  { id: 'tokens', title: t('Portal tokens'), about: t('for programs that call the management API') },
  { id: 'keys', title: t('API keys'), about: t('of agents and of the admin') },
  { id: 'visitors', title: t('Visitors'), about: t('people to try endpoints with') },
  { id: 'about', title: t('About'), about: t('version, address, data directory') },
];
