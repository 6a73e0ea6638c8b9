import { t } from '../../i18n/t';
import { here } from '../../ui/zones';

/** A schedule in words: so often, at a time of day, in a time zone. */
export interface Words {
  frequency: string;
  preferredTime: string;
  preferredDay: number;
  timeZone: string;
}

/** When something runs, as it is edited. Both ways keep what was typed while the other one is in view. */
export interface When {
  way: 'words' | 'cron';
  cron: string;
  words: Words;
}

export const frequencies = [
  { value: 'hourly', label: t('Every hour') },
  { value: 'every_6h', label: t('Every 6 hours') },
  { value: 'every_12h', label: t('Every 12 hours') },
  { value: 'daily', label: t('Every day') },
  { value: 'weekly', label: t('Every week') },
];

export const weekdays = [t('Sunday'), t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday')].map((label, i) => ({ value: String(i), label }));

/** What an entry of cron says about when; nothing is a new one. */
export function whenOf(entry: unknown): When {
  const at = (entry ?? {}) as { cron?: unknown; schedule?: Partial<Record<keyof Words, unknown>> | null };
  const s = typeof at.schedule === 'object' && at.schedule !== null ? at.schedule : undefined;
  const text = (value: unknown, or: string) => (typeof value === 'string' && value ? value : or);
  return {
    way: s ? 'words' : 'cron',
    cron: text(at.cron, '0 3 * * *'),
    words: {
      frequency: text(s?.frequency, 'daily'),
      preferredTime: text(s?.preferredTime, s ? '00:00' : '09:00'),
      preferredDay: typeof s?.preferredDay === 'number' ? s.preferredDay : s ? 0 : 1,
      timeZone: text(s?.timeZone, s ? 'UTC' : here()),
    },
  };
}

/** The same as keys of an entry; null takes away what the other way had. */
export function entryOf(when: When): { cron: string | null; schedule: Partial<Words> | null } {
  if (when.way === 'cron') return { cron: when.cron.trim(), schedule: null };
  const { frequency, preferredTime, preferredDay, timeZone } = when.words;
  return { cron: null, schedule: { frequency, preferredTime, ...(frequency === 'weekly' && { preferredDay }), timeZone } };
}

/** What the platform is asked about a schedule before it is stored; nothing while a part is missing. */
export function askFor(when: When): { cron: string } | { schedule: string } | undefined {
  const { cron, schedule } = entryOf(when);
  if (schedule) return schedule.preferredTime && schedule.timeZone ? { schedule: JSON.stringify(schedule) } : undefined;
  return cron ? { cron } : undefined;
}

const withoutNulls = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([, v]) => v !== null));

/** An entry that is new has nothing to take away. */
export const newEntryOf = (when: When): object => withoutNulls(entryOf(when));
