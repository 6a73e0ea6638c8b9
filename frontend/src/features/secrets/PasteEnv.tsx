import { Button, Checkbox, FileButton, Modal, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { FileUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SecretInfo } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { rich, t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { parseEnv } from './envfile';
import classes from './PasteEnv.module.css';
import { readerOf } from './reader';
import { useSetSecret } from './useSetSecret';

interface Props {
  agent: string;
  secrets: readonly SecretInfo[];
  onClose: () => void;
}

/** Takes the text of a .env file and gives each value to the functions that ask for its name. */
export function PasteEnv({ agent, secrets, onClose }: Props) {
  const { set, refresh } = useSetSecret(agent);
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
      // A few at once, as many as a browser has connections to spare.
      const left = [...chosen];
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) await set(next.function, next.binding, next.value);
      };
      await Promise.all([work(), work(), work()]).finally(() => left.splice(0));
      setText('');
      notifications.show({ message: t('{n, plural, one {# secret is} other {# secrets are}} set', { n: chosen.length }) });
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
      void refresh();
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('Paste a .env')} size="lg" closeButtonProps={{ 'aria-label': t('Close') }}>
      <div className={page.form}>
        <Textarea
          label={t('Text of the file')}
          description={t('NAME=value lines. Each value goes to the functions that ask for its name, and is forgotten here.')}
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
        <FileButton onChange={(file) => void file?.text().then(setText)}>
          {(props) => (
            <Button variant="default" className={page.start} leftSection={<FileUp size={13} />} {...props}>
              {t('Choose a file…')}
            </Button>
          )}
        </FileButton>
        {targets.length > 0 && (
          <ul className={classes.list} aria-label={t('What will be set')}>
            {targets.map((item) => (
              <li key={item.id} className={classes.row}>
                <Checkbox
                  size="xs"
                  disabled={item.value === ''}
                  checked={!skipped.has(item.id) && item.value !== ''}
                  aria-label={t('{binding} of {readerOf}', { binding: item.binding, readerOf: readerOf(item.function) })}
                  onChange={(e) => {
                    const next = new Set(skipped);
                    if (e.currentTarget.checked) next.delete(item.id);
                    else next.add(item.id);
                    setSkipped(next);
                  }}
                />
                <span className={classes.name}>{item.binding}</span>
                <span className={page.dim}>{t('for {readerOf}', { readerOf: readerOf(item.function) })}</span>
                <span className={classes.what}>{item.value === '' ? t('empty: nothing is set') : item.set ? t('replaces the value') : t('new')}</span>
              </li>
            ))}
          </ul>
        )}
        {unknown.length > 0 && (
          <p className={page.dim}>
            {rich('No function asks for {unknown}. List a name under <1>permissions.secrets</1> to use it.', [<code />], { unknown: unknown.map((u) => u.name).join(', ') })}
          </p>
        )}
        {problem && <ErrorBox title={problem} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button disabled={chosen.length === 0} loading={busy} onClick={() => void save()}>
            {chosen.length ? t('Set {n, plural, one {# secret} other {# secrets}}', { n: chosen.length }) : t('Set')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
