import { Button, Checkbox, FileButton, Modal, Progress, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { FileUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import classes from './Data.module.css';
import { readImport } from './keys';

/** Items that go to the platform in one request. */
const batch = 100;

/** Takes keys in, from a file or pasted. */
export function ImportKeys({ agent, at, title, onClose, onChanged }: { agent: Agent; at: { function: string; scope: string }; title: string; onClose: () => void; onChanged: () => void }) {
  const { client } = useApi();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [text, setText] = useState('');
  const [keep, setKeep] = useState(true);
  const read = useMemo(() => (text.trim() ? readImport(text) : undefined), [text]);
  const items = read && 'items' in read ? read.items : [];
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    let written = 0;
    let kept = 0;
    try {
      for (let from = 0; from < items.length; from += batch) {
        const done = await client.call('PUT /api/local/agents/:agent/kv/items', {
          params: { agent: agent.id },
          body: { ...at, keepExisting: keep, items: items.slice(from, from + batch) },
        });
        written += done.written;
        kept += done.kept;
        setDone(written + kept);
      }
      const said = t('{n, plural, one {# key is stored} other {# keys are stored}}', { n: written });
      notifications.show({ message: kept > 0 ? t('{said}, {n, plural, one {# was there already} other {# were there already}}', { said, n: kept }) : said });
      onClose();
    } catch (error) {
      // What went before stays: said here, where the rest still stands.
      setProblem(written + kept > 0 ? t('{n, plural, one {# key is} other {# keys are}} in, then: {message}', { n: written + kept, message: messageOf(error) }) : messageOf(error));
    } finally {
      setBusy(false);
      onChanged();
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('Import keys for {title}', { title })} size="lg" closeButtonProps={{ 'aria-label': t('Close') }}>
      <div className={page.form}>
        <Textarea
          label={t('Keys')}
          description={t('An object such as {"name": value}, a list of {"key", "value", "ttlSeconds"}, or the lines of an export.')}
          spellCheck={false}
          autosize
          minRows={8}
          maxRows={18}
          value={text}
          error={read && 'problem' in read ? read.problem : undefined}
          classNames={{ input: classes.json }}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        <FileButton accept=".json,.jsonl,.ndjson,.txt" onChange={(file) => void file?.text().then(setText)}>
          {(props) => (
            <Button variant="default" className={page.start} leftSection={<FileUp size={13} />} {...props}>
              {t('Choose a file…')}
            </Button>
          )}
        </FileButton>
        <Checkbox size="xs" label={t('Leave keys alone that are there already')} checked={keep} onChange={(e) => setKeep(e.currentTarget.checked)} />
        {problem && <ErrorBox title={problem} />}
        {busy && items.length > batch && <Progress value={(done / items.length) * 100} aria-label={t('{done} of {items} keys', { done, items: items.length })} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button disabled={items.length === 0} loading={busy} onClick={() => void run()}>
            {items.length ? t('Import {n, plural, one {# key} other {# keys}}', { n: items.length }) : t('Import')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
