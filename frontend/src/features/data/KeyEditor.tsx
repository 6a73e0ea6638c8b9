import { ActionIcon, Button, NumberInput, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trash2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, KVItem } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { bytes, dateTime, visible } from '../../ui/format';
import { jsonText, parseJson } from '../../ui/json';
import { useAct } from '../../ui/useAct';
import classes from './Data.module.css';
import { secondsLeft } from './keys';

interface Props {
  agent: Agent;
  at: { function: string; scope: string };
  /** The key; undefined makes a new one. */
  name: string | undefined;
  onClose: () => void;
  onSaved: (key: string) => void;
  onDeleted: () => void;
}

/** One key: its value as JSON, and how long it stays. */
export function KeyEditor(props: Props) {
  const { client } = useApi();
  const { agent, at, name, onClose } = props;
  const item = useQuery({
    queryKey: [...keys.kv(agent.id), 'item', at.function, at.scope, name ?? ''],
    enabled: name !== undefined,
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/kv/item', { params: { agent: agent.id }, query: { ...at, key: name ?? '' }, signal }),
    retry: false,
  });
  return (
    <aside className={classes.editor} aria-label={name === undefined ? t('New key') : t('Key {name}', { name })}>
      <div className={classes.editorHead}>
        <h2 className={classes.editorTitle}>{name === undefined ? t('New key') : visible(name)}</h2>
        <ActionIcon aria-label={t('Close')} onClick={onClose}>
          <X size={15} />
        </ActionIcon>
      </div>
      {item.isError && <ErrorBox title={messageOf(item.error)} onRetry={() => void item.refetch()} />}
      {name !== undefined && item.isPending && <Skeleton height={200} radius="md" />}
      {(name === undefined || item.data) && <Form {...props} item={item.data} />}
    </aside>
  );
}

function Form({ agent, at, name, item, onSaved, onDeleted }: Props & { item: KVItem | undefined }) {
  const { client } = useApi();
  const { busy, act } = useAct();
  const stored = item ? jsonText(item.value) : '';
  const [key, setKey] = useState(name ?? '');
  const [text, setText] = useState(item ? stored : '{}');
  const [base, setBase] = useState(stored);
  const [ttl, setTtl] = useState<number | string>(item ? (secondsLeft(item, Date.now()) ?? '') : '');
  const [touched, setTouched] = useState(false);
  const [asking, setAsking] = useState(false);
  // A run may write while this is open: what nobody has touched follows, what was typed stays.
  useEffect(() => {
    if (stored === base) return;
    setBase(stored);
    if (text === base) setText(stored);
  }, [base, stored, text]);
  const parsed = parseJson(text);
  const problem = !parsed.ok ? parsed.problem : parsed.value === undefined ? t('A value is needed; null is one.') : undefined;
  const changed = name === undefined || text !== stored || touched;
  const behind = item !== undefined && text !== stored && base === stored;
  const save = () =>
    act(
      'save',
      async () => {
        if (!parsed.ok) return;
        await client.call('PUT /api/local/agents/:agent/kv/items', {
          params: { agent: agent.id },
          body: { ...at, items: [{ key: key.trim(), value: parsed.value, ...(typeof ttl === 'number' && ttl > 0 ? { ttlSeconds: ttl } : {}) }] },
        });
        setTouched(false);
        onSaved(key.trim());
      },
      t('{key} is stored', { key: key.trim() }),
    );
  const remove = () =>
    act(
      'delete',
      async () => {
        await client.call('DELETE /api/local/agents/:agent/kv/item', { params: { agent: agent.id }, query: { ...at, key } });
        onDeleted();
      },
      t('{key} is deleted', { key }),
    );
  return (
    <div className={classes.editorBody}>
      {name === undefined && <TextInput label={t('Key')} data-autofocus spellCheck={false} value={key} ref={focusOnce} onChange={(e) => setKey(e.currentTarget.value)} />}
      <Textarea
        label={t('Value')}
        description={`JSON · ${bytes(new Blob([text]).size)}`}
        spellCheck={false}
        autosize
        minRows={10}
        maxRows={26}
        value={text}
        error={problem}
        classNames={{ input: classes.json }}
        onChange={(e) => setText(e.currentTarget.value)}
      />
      <NumberInput
        label={t('Goes after')}
        description={item?.expiresAt && !touched ? t('It goes at {when}. Saving counts anew.', { when: dateTime(item.expiresAt) }) : t('Seconds from when it is saved; empty keeps it.')}
        size="xs"
        min={1}
        max={3_153_600_000}
        allowDecimal={false}
        suffix=" s"
        value={ttl}
        onChange={(v) => {
          setTtl(v);
          setTouched(true);
        }}
      />
      {asking ? (
        <div className={classes.confirm} role="alert">
          {t('Delete {key} for good?', { key })}
          <span className={classes.confirmButtons}>
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('Keep it')}
            </Button>
            <Button color="red" loading={busy === 'delete'} onClick={() => void remove()}>
              {t('Delete')}
            </Button>
          </span>
        </div>
      ) : (
        <div className={classes.editorFoot}>
          {name !== undefined && (
            <Button variant="subtle" color="red" leftSection={<Trash2 size={13} />} onClick={() => setAsking(true)}>
              {t('Delete')}
            </Button>
          )}
          <span className={classes.grow} />
          {behind && (
            <Button variant="default" onClick={() => setText(stored)}>
              {t('Undo')}
            </Button>
          )}
          <Button disabled={!changed || Boolean(problem) || !key.trim()} loading={busy === 'save'} onClick={() => void save()}>
            {t('Save')}
          </Button>
        </div>
      )}
    </div>
  );
}

function focusOnce(el: HTMLInputElement | null): void {
  if (el && !el.dataset.seen) {
    el.dataset.seen = 'yes';
    el.focus();
  }
}
