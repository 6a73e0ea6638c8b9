import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { dateTime } from '../../ui/format';
import page from '../../ui/page.module.css';
import { presets } from './presets';
import classes from './Schedules.module.css';

/** Asks which function should run when. What an expression means comes from what will fire it. */
export function AddSchedule({ agent, functions, cron: first, onClose, onAdded }: { agent: Agent; functions: string[]; cron: string; onClose: () => void; onAdded: () => void }) {
  const { client } = useApi();
  const [fn, setFn] = useState(functions[0] ?? '');
  const [cron, setCron] = useState(first || '0 3 * * *');
  const [description, setDescription] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asked] = useDebouncedValue(cron.trim(), 150);
  const reading = useQuery({
    queryKey: keys.schedule(asked),
    enabled: asked !== '',
    queryFn: ({ signal }) => client.call('GET /api/local/schedule', { query: { cron: asked }, signal }),
    retry: false,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await client.call('POST /api/agents/:agent/skills/:skill/use', {
        params: { agent: agent.id, skill: 'cron' },
        body: { use: fn, entry: { cron: cron.trim(), ...(description.trim() && { description: description.trim() }) } },
      });
      onAdded();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('Add a schedule')} size="md" closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={page.form} onSubmit={(e) => void submit(e)}>
        <Select label={t('Function')} data={functions} value={fn} onChange={(v) => v && setFn(v)} allowDeselect={false} searchable={functions.length > 8} />
        <TextInput
          label={t('When')}
          description={t('Five fields: minute, hour, day of the month, month, day of the week. UTC.')}
          spellCheck={false}
          data-autofocus
          value={cron}
          error={reading.isError && asked === cron.trim() ? messageOf(reading.error) : undefined}
          classNames={{ input: page.mono }}
          onChange={(e) => setCron(e.currentTarget.value)}
        />
        <div className={classes.presets}>
          {presets.map((p) => (
            <Button key={p.cron} size="compact-xs" variant={p.cron === cron ? 'light' : 'default'} onClick={() => setCron(p.cron)}>
              {p.title}
            </Button>
          ))}
        </div>
        <div className={classes.reading} aria-live="polite">
          {reading.data && !reading.isError && (
            <>
              <b>{reading.data.sentence}</b>
              <span className={page.dim}>{reading.data.next[0] ? t('First: {when}', { when: dateTime(reading.data.next[0]) }) : t('It never comes.')}</span>
            </>
          )}
        </div>
        <TextInput label={t('Description')} placeholder={t('What it is for (optional)')} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
        {problem && <ErrorBox title={problem} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!fn || !cron.trim() || reading.isError}>
            {t('Add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
