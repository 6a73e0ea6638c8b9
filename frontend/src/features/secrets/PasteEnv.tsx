import { Button, Checkbox, Modal, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { SecretInfo } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { ErrorBox } from '../../ui/ErrorBox';
import { plural } from '../../ui/format';
import page from '../../ui/page.module.css';
import { parseEnv } from './envfile';
import classes from './PasteEnv.module.css';
import { readerOf } from './reader';

interface Props {
  secrets: readonly SecretInfo[];
  /** Sets one value; throws what went wrong. */
  onSet: (fn: string, binding: string, value: string) => Promise<void>;
  onClose: () => void;
}

/** Takes the text of a .env file and gives each value to the functions that ask for its name. */
export function PasteEnv({ secrets, onSet, onClose }: Props) {
  const [text, setText] = useState('');
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { lines, problems } = useMemo(() => parseEnv(text), [text]);
  const targets = lines.flatMap(({ name, value }) => secrets.filter((s) => s.binding === name && s.declared).map((s) => ({ ...s, value, id: `${s.function}/${s.binding}` })));
  const unknown = lines.filter(({ name }) => !targets.some((t) => t.binding === name));
  const chosen = targets.filter((t) => !skipped.has(t.id) && t.value !== '');
  const save = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const t of chosen) await onSet(t.function, t.binding, t.value);
      setText('');
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Paste a .env" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={page.form}>
        <Textarea
          label="Text of the file"
          description="NAME=value lines. Each value goes to the functions that ask for its name, and is forgotten here."
          placeholder={'API_KEY=…\nMAIL_KEY="…"'}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          autosize
          minRows={6}
          maxRows={14}
          value={text}
          error={problems.length > 0 && problems.join(' ')}
          classNames={{ input: classes.text }}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        {targets.length > 0 && (
          <ul className={classes.list} aria-label="What will be set">
            {targets.map((t) => (
              <li key={t.id} className={classes.row}>
                <Checkbox
                  size="xs"
                  disabled={t.value === ''}
                  checked={!skipped.has(t.id) && t.value !== ''}
                  aria-label={`${t.binding} of ${readerOf(t.function)}`}
                  onChange={(e) => {
                    const next = new Set(skipped);
                    if (e.currentTarget.checked) next.delete(t.id);
                    else next.add(t.id);
                    setSkipped(next);
                  }}
                />
                <span className={classes.name}>{t.binding}</span>
                <span className={page.dim}>for {readerOf(t.function)}</span>
                <span className={classes.what}>{t.value === '' ? 'empty: nothing is set' : t.set ? 'replaces the value' : 'new'}</span>
              </li>
            ))}
          </ul>
        )}
        {unknown.length > 0 && (
          <p className={page.dim}>
            No function asks for {unknown.map((u) => u.name).join(', ')}. List a name under <code>permissions.secrets</code> to use it.
          </p>
        )}
        {problem && <ErrorBox title={problem} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={chosen.length === 0} loading={busy} onClick={() => void save()}>
            {chosen.length ? `Set ${plural(chosen.length, 'secret')}` : 'Set'}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
