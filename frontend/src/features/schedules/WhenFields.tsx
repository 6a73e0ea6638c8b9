import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { t } from '../../i18n/t';
import page from '../../ui/page.module.css';
import { zones } from '../../ui/zones';
import { presets } from './presets';
import classes from './Schedules.module.css';
import { frequencies, weekdays, type When, type Words } from './when';

/** When something runs: a time of day in a time zone, or a cron expression. */
export function WhenFields({ when, problem, onChange }: { when: When; problem: string | undefined; onChange: (when: When) => void }) {
  const all = useMemo(zones, []);
  const { words } = when;
  const say = (change: Partial<Words>) => onChange({ ...when, words: { ...words, ...change } });
  return (
    <>
      <SegmentedControl
        aria-label={t('How it is written')}
        value={when.way}
        onChange={(way) => onChange({ ...when, way: way as When['way'] })}
        data={[
          { value: 'cron', label: t('Cron expression, in UTC') },
          { value: 'words', label: t('Time of day, in a time zone') },
        ]}
      />
      {when.way === 'cron' ? (
        <>
          <TextInput
            label={t('When')}
            description={t('Five fields: minute, hour, day of the month, month, day of the week. UTC.')}
            spellCheck={false}
            data-autofocus
            value={when.cron}
            error={problem}
            classNames={{ input: page.mono }}
            onChange={(e) => onChange({ ...when, cron: e.currentTarget.value })}
          />
          <div className={classes.presets}>
            {presets.map((p) => (
              <Button key={p.cron} size="compact-xs" variant={p.cron === when.cron ? 'light' : 'default'} onClick={() => onChange({ ...when, cron: p.cron })}>
                {p.title}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <>
          <div className={classes.words}>
            <Select label={t('How often')} data={frequencies} value={words.frequency} onChange={(v) => v && say({ frequency: v })} allowDeselect={false} />
            {words.frequency === 'weekly' && <Select label={t('Day')} data={weekdays} value={String(words.preferredDay)} onChange={(v) => v && say({ preferredDay: Number(v) })} allowDeselect={false} />}
            <TextInput
              type="time"
              label={words.frequency === 'hourly' ? t('At the minute of') : words.frequency === 'daily' || words.frequency === 'weekly' ? t('At') : t('First at')}
              value={words.preferredTime}
              error={words.preferredTime === '' && t('A time is needed.')}
              onChange={(e) => say({ preferredTime: e.currentTarget.value.slice(0, 5) })}
            />
          </div>
          <Select
            label={t('Time zone')}
            description={t('It follows the clock there, also when that is moved in spring and autumn.')}
            data={all.includes(words.timeZone) ? all : [words.timeZone, ...all]}
            value={words.timeZone}
            onChange={(v) => v && say({ timeZone: v })}
            allowDeselect={false}
            searchable
            nothingFoundMessage={t('No time zone has that in its name.')}
            limit={60}
            error={problem}
          />
        </>
      )}
    </>
  );
}
