import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import classes from './NewFunction.module.css';
import { manifestTemplate, namePattern, sourceTemplate } from './template';

/** A function that another one is to be like. */
export interface Original {
  name: string;
  source: string | undefined;
  /** None where its header, or AGENT.md, says what it may do. */
  manifest: string | undefined;
}

interface Props {
  agent: string;
  opened: boolean;
  names: readonly string[];
  /** What it begins as; the template, unless it is said. */
  from?: Original;
  onClose: () => void;
  onCreated: (name: string) => void;
}

/** Asks for a name and makes a function that runs at once. */
export function NewFunction({ agent, opened, names, from, onClose, onCreated }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const [name, setName] = useState(from ? freeName(from.name, names) : '');
  const [description, setDescription] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const wrong = check(name, names);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wrong) return setProblem(wrong);
    setBusy(true);
    try {
      await client.call('PUT /api/local/agents/:agent/functions/:name', {
        params: { agent, name },
        body: from ? { source: from.source, sourceBase: '', manifest: from.manifest, manifestBase: '' } : { source: sourceTemplate, sourceBase: '', manifest: manifestTemplate(description), manifestBase: '' },
      });
      await cache.invalidateQueries({ queryKey: keys.work(agent) });
      setName('');
      setDescription('');
      onClose();
      onCreated(name);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={onClose} title={from ? t('Duplicate {name}', { name: from.name }) : t('New function')} size="md" closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={classes.form} onSubmit={(e) => void submit(e)}>
        <TextInput
          data-autofocus
          label={t('Name')}
          placeholder={t('quote')}
          description={t('A letter, then letters, digits or underscores')}
          spellCheck={false}
          value={name}
          error={problem}
          onChange={(e) => {
            setName(e.currentTarget.value);
            setProblem(undefined);
          }}
        />
        {!from && <TextInput label={t('Description')} placeholder={t('What it does, for people and models')} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!name}>
            {t('Create')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** A name for another one like it. */
export function freeName(name: string, names: readonly string[]): string {
  const stem = name.replace(/_?\d+$/, '').slice(0, 58);
  for (let n = 2; ; n++) if (!names.includes(`${stem}_${n}`)) return `${stem}_${n}`;
}

function check(name: string, names: readonly string[]): string | undefined {
  if (!namePattern.test(name)) return t('A name is a letter, then letters, digits or underscores, 64 at most.');
  if (names.includes(name)) return t('There is a function {name} already.', { name });
  return undefined;
}
