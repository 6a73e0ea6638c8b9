import { t } from '../../i18n/t';

/** Five schedules people ask for most. */
export const presets: readonly { title: string; cron: string }[] = [
  { title: t('Every minute'), cron: '* * * * *' },
  { title: t('Every 15 minutes'), cron: '*/15 * * * *' },
  { title: t('Every hour'), cron: '0 * * * *' },
  { title: t('Every night at 3'), cron: '0 3 * * *' },
  { title: t('Mondays at 9'), cron: '0 9 * * 1' },
];
