import { Menu } from '@mantine/core';
import { CalendarClock, Check, ChevronDown, Clock, Radio, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Agent } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { useAnnounce } from '../../ui/Announcer';
import { here } from '../../ui/zones';
import classes from './ClockMenu.module.css';
import { momentText, presetsAt, readMoment, wireOf } from './moment';
import { MomentForm } from './MomentForm';
import { clockZone, useClock } from './useClock';

interface Props {
  agent: Agent | undefined;
  /** Whether a moment is being asked for, which the palette may do as well. */
  asking: boolean;
  onAsking: (asking: boolean) => void;
}

/** The time that functions see in runs which are started by hand: the real one, or one that was chosen. */
export function ClockMenu({ agent, asking, onAsking }: Props) {
  const [clock, setClock] = useClock(agent?.id);
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  if (!agent) return null;
  const choose = (next: string | undefined) => {
    setClock(next);
    announce(next ? t('Runs that you start see {moment}.', { moment: momentText(next) }) : t('Runs that you start see the real time.'));
  };
  const moment = readMoment(clock);
  const menu = (
    <Menu position="bottom-end" width={290} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <button
          ref={target}
          type="button"
          className={classes.target}
          title={clock && momentText(clock)}
          aria-label={clock ? t('Clock: {moment}, change', { moment: momentText(clock) }) : t('Clock: live, change')}
        >
          <Clock size={14} aria-hidden />
          {clock ? (
            <span className={classes.moment}>{momentText(clock, moment?.zone !== here())}</span>
          ) : (
            <span>
              <span className={classes.word}>{t('Clock:')} </span>
              {t('live')}
            </span>
          )}
          <ChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>{opened && <Choices clock={clock} onChoose={choose} onAsk={() => onAsking(true)} />}</Menu.Dropdown>
    </Menu>
  );
  return (
    <>
      <span className={clock ? classes.moved : undefined} data-testid="clock" data-moved={clock ? true : undefined}>
        {menu}
        {clock && (
          <button
            type="button"
            className={classes.live}
            aria-label={t('Clock: back to live')}
            title={t('Clock: back to live')}
            onClick={() => {
              choose(undefined);
              target.current?.focus(); // this button goes away
            }}
          >
            <X size={14} aria-hidden />
          </button>
        )}
      </span>
      {asking && (
        <MomentForm
          clock={clock}
          onClose={() => onAsking(false)}
          onChoose={(next) => {
            onAsking(false);
            choose(next);
          }}
        />
      )}
    </>
  );
}

function Choices({ clock, onChoose, onAsk }: { clock: string | undefined; onChoose: (clock: string | undefined) => void; onAsk: () => void }) {
  const zone = clockZone();
  // Where the menu was opened is where its times count from.
  const [presets] = useState(() => presetsAt(Date.now(), zone).map((p) => ({ ...p, clock: wireOf(p.ms, zone) })));
  const check = <Check size={14} aria-label={t('chosen')} />;
  return (
    <>
      <Menu.Label>{t('Runs that you start see')}</Menu.Label>
      <Menu.Item leftSection={<Radio size={14} />} rightSection={clock ? undefined : check} onClick={() => onChoose(undefined)}>
        {t('Live: the real time')}
      </Menu.Item>
      {presets.map((p) => (
        <Menu.Item key={p.id} leftSection={<Clock size={14} />} rightSection={p.clock === clock ? check : undefined} onClick={() => onChoose(p.clock)}>
          {p.label}
          <span className={classes.when}>{momentText(p.clock)}</span>
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<CalendarClock size={14} />} onClick={onAsk}>
        {t('Another moment…')}
      </Menu.Item>
      <Menu.Label className={classes.about}>{t('For functions alone: history, TTLs, tokens and schedules keep the real time.')}</Menu.Label>
    </>
  );
}
