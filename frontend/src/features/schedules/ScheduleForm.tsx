import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, Schedule } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { useNow } from '../../ui/useNow';
import { RunTimes } from './RunTimes';
import classes from './Schedules.module.css';
import { askFor, entryOf, newEntryOf, whenOf } from './when';
import { WhenFields } from './WhenFields';

/** Runs of a preview: enough to see a rhythm. */
const shown = 3;

interface Props {
  agent: Agent;
  functions: string[];
  /** What a new one begins with. */
  cron: string;
  /** The one to change; none makes a new one. */
  schedule?: Schedule;
  onClose: () => void;
  onDone: () => void;
}

/** Asks which function should run when. What that means comes from what will fire it. */
export function ScheduleForm({ agent, functions, cron, schedule, onClose, onDone }: Props) {
  const { client } = useApi();
  const now = useNow(20_000);
  const names = schedule && !functions.includes(schedule.use) ? [schedule.use, ...functions] : functions;
  const [fn, setFn] = useState(schedule?.use ?? functions[0] ?? '');
  const [when, setWhen] = useState(() => whenOf(schedule?.entry ?? (cron ? { cron } : undefined)));
  const [description, setDescription] = useState(schedule?.description ?? '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const ask = JSON.stringify(askFor(when) ?? '');
  const [asked] = useDebouncedValue(ask, 150);
  const question = JSON.parse(asked) as ReturnType<typeof askFor> | '';
  const reading = useQuery({
    queryKey: keys.schedule(asked),
    enabled: Boolean(question),
    queryFn: ({ signal }) => client.call('GET /api/local/schedule', { query: question || { cron: '' }, signal }),
    retry: false,
  });
  const wrong = reading.isError && asked === ask ? messageOf(reading.error).replace(/^(cron|schedule): /, '') : undefined;
  const said = description.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      if (schedule) {
        await client.call('PATCH /api/agents/:agent/skills/:skill/use/:id', {
          params: { agent: agent.id, skill: 'cron', id: schedule.entryId },
          body: { use: fn, entry: { ...entryOf(when), description: said || null } },
        });
      } else {
        await client.call('POST /api/agents/:agent/skills/:skill/use', {
          params: { agent: agent.id, skill: 'cron' },
          body: { use: fn, entry: { ...newEntryOf(when), ...(said && { description: said }) } },
        });
      }
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={schedule ? t('Change {entryId}', { entryId: schedule.entryId }) : t('Add a schedule')} size="md" closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={page.form} onSubmit={(e) => void submit(e)}>
        <Select label={t('Function')} data={names} value={fn} onChange={(v) => v && setFn(v)} allowDeselect={false} searchable={names.length > 8} />
        <WhenFields when={when} problem={wrong} onChange={setWhen} />
        <div className={classes.reading} aria-live="polite">
          {reading.data && !reading.isError && question && (
            <>
              <b>{reading.data.sentence}</b>
              {reading.data.next.length > 0 ? <RunTimes at={reading.data.next.slice(0, shown)} now={now} /> : <span className={page.dim}>{t('It never comes.')}</span>}
            </>
          )}
        </div>
        <TextInput label={t('Description')} placeholder={t('What it is for (optional)')} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
        {problem && <ErrorBox title={problem} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!fn || askFor(when) === undefined || wrong !== undefined}>
            {schedule ? t('Save') : t('Add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
