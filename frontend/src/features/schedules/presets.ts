/** Five schedules people ask for most. */
export const presets: readonly { title: string; cron: string }[] = [
  { title: 'Every minute', cron: '* * * * *' },
  { title: 'Every 15 minutes', cron: '*/15 * * * *' },
  { title: 'Every hour', cron: '0 * * * *' },
  { title: 'Every night at 3', cron: '0 3 * * *' },
  { title: 'Mondays at 9', cron: '0 9 * * 1' },
];
