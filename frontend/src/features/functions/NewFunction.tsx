import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import classes from './NewFunction.module.css';
import { manifestTemplate, namePattern, sourceTemplate } from './template';

interface Props {
  agent: string;
  opened: boolean;
  names: readonly string[];
  onClose: () => void;
  onCreated: (name: string) => void;
}

/** Asks for a name and makes a function that runs at once. */
export function NewFunction({ agent, opened, names, onClose, onCreated }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const [name, setName] = useState('');
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
        body: { source: sourceTemplate, sourceBase: '', manifest: manifestTemplate(description), manifestBase: '' },
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
    <Modal opened={opened} onClose={onClose} title="New function" size="md" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form className={classes.form} onSubmit={(e) => void submit(e)}>
        <TextInput
          data-autofocus
          label="Name"
          placeholder="quote"
          description="A letter, then letters, digits or underscores"
          spellCheck={false}
          value={name}
          error={problem}
          onChange={(e) => {
            setName(e.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <TextInput label="Description" placeholder="What it does, for people and models" value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={!name}>
            Create
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function check(name: string, names: readonly string[]): string | undefined {
  if (!namePattern.test(name)) return 'A name is a letter, then letters, digits or underscores, 64 at most.';
  if (names.includes(name)) return `There is a function ${name} already.`;
  return undefined;
}
