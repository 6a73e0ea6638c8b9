import { Button, Checkbox, FileButton, Modal, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import classes from './Data.module.css';
import { readImport } from './keys';

/** Items that go to the platform in one request. */
const batch = 100;

/** Takes keys in, from a file or pasted. */
export function ImportKeys({ agent, at, title, onClose, onDone }: { agent: Agent; at: { function: string; scope: string }; title: string; onClose: () => void; onDone: () => void }) {
  const { client } = useApi();
  const { busy, act } = useAct();
  const [text, setText] = useState('');
  const [keep, setKeep] = useState(true);
  const read = useMemo(() => (text.trim() ? readImport(text) : undefined), [text]);
  const items = read && 'items' in read ? read.items : [];
  const run = () =>
    act('import', async () => {
      for (let from = 0; from < items.length; from += batch) {
        await client.call('PUT /api/local/agents/:agent/kv/items', {
          params: { agent: agent.id },
          body: { ...at, keepExisting: keep, items: items.slice(from, from + batch) },
        });
      }
      onDone();
    }, t('{n, plural, one {# key} other {# keys}} read', { n: items.length }));
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
            <Button variant="default" {...props}>
              {t('Choose a file…')}
            </Button>
          )}
        </FileButton>
        <Checkbox size="xs" label={t('Leave keys alone that are there already')} checked={keep} onChange={(e) => setKeep(e.currentTarget.checked)} />
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button disabled={items.length === 0} loading={busy === 'import'} onClick={() => void run()}>
            {items.length ? t('Import {n, plural, one {# key} other {# keys}}', { n: items.length }) : t('Import')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
