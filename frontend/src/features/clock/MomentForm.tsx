import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { t } from '../../i18n/t';
import { until, ago } from '../../ui/format';
import page from '../../ui/page.module.css';
import { useNow } from '../../ui/useNow';
import { zones } from '../../ui/zones';
import classes from './ClockMenu.module.css';
import { momentText, readMoment, typedMoment, wireOf } from './moment';
import { clockZone } from './useClock';

interface Props {
  /** The clock as it is, with which the fields begin. */
  clock: string | undefined;
  onClose: () => void;
  onChoose: (clock: string) => void;
}

/** Asks for a moment: typed, in a time zone, and read back before it counts. */
export function MomentForm({ clock, onClose, onChoose }: Props) {
  const now = useNow(1_000);
  const all = useMemo(zones, []);
  const [zone, setZone] = useState(() => readMoment(clock)?.zone ?? clockZone());
  const [text, setText] = useState(() => {
    const begin = readMoment(clock);
    return momentText(wireOf(begin ? begin.ms : Math.floor(Date.now() / 60_000) * 60_000, zone), false);
  });
  const read = typedMoment(text, zone, now);
  const wire = read.ok ? wireOf(read.ms, zone) : undefined;
  return (
    <Modal opened onClose={onClose} title={t('The time that your runs see')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
      <form
        className={classes.form}
        onSubmit={(e) => {
          e.preventDefault();
          if (wire) onChoose(wire);
        }}
      >
        <p className={classes.lead}>{t('Date in a function begins there, in every run that you start by hand. History, TTLs, tokens and schedules keep the real time.')}</p>
        <TextInput
          label={t('Day and time')}
          description={t('2026-12-31 23:59:50, a day or a time alone, +2h, +30d, or a timestamp')}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
          value={text}
          error={read.ok ? undefined : read.problem}
          classNames={{ input: page.mono }}
          onChange={(e) => setText(e.currentTarget.value)}
          onFocus={(e) => e.currentTarget.select()}
        />
        <Select
          label={t('Time zone')}
          data={all.includes(zone) ? all : [zone, ...all]}
          value={zone}
          onChange={(v) => v && setZone(v)}
          allowDeselect={false}
          searchable
          nothingFoundMessage={t('No time zone has that in its name.')}
          limit={60}
        />
        <p className={classes.reading}>
          {read.ok && wire && (
            <>
              {momentText(wire)}
              <span>
                {momentText(wireOf(read.ms, 'UTC'))} · {read.ms > now ? until(read.ms, now) : ago(read.ms, now)}
              </span>
            </>
          )}
        </p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={!wire}>
            {t('Set the clock')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
