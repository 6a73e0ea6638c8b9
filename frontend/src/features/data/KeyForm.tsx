import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, KVConflict, KVItem } from '../../api/contract.gen';
import { ApiError } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { bytes, dateTime } from '../../ui/format';
import { jsonText, parseExactly } from '../../ui/json';
import { useAct } from '../../ui/useAct';
import classes from './Data.module.css';
import { KeyConflict } from './KeyConflict';
import { LargeValue } from './LargeValue';
import { keepDraft, readDraft } from './keyDrafts';
import { secondsLeft } from './keys';

/** Beyond this a box that grows with its text takes longer to measure than to read. */
const growsUpTo = 50_000;

/** Beyond this a browser takes seconds to lay a text out in a box, and for each key that is pressed in it. */
const editsUpTo = 300_000;

export interface KeyProps {
  agent: Agent;
  at: { function: string; scope: string };
  /** The key; undefined makes a new one. */
  name: string | undefined;
  onClose: () => void;
  onSaved: (key: string) => void;
  onDeleted: () => void;
}

/** What is edited of a key. What was typed and not saved is there again when the key is opened again. */
export function KeyForm({ agent, at, name, item, gone, onSaved, onDeleted }: KeyProps & { item: KVItem | undefined; gone: boolean }) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [kept] = useState(() => readDraft(agent.id, at, name));
  // A value may have megabytes: each of these is worked out once for a text.
  const stored = useMemo(() => (item ? jsonText(item.value) : ''), [item]);
  const [key, setKey] = useState(name ?? kept?.key ?? '');
  const [text, setText] = useState(kept?.text ?? (item ? stored : '{}'));
  const [base, setBase] = useState({ text: stored, version: kept ? kept.version : item?.version });
  const [ttl, setTtl] = useState<number | string>(item ? (secondsLeft(item, Date.now()) ?? '') : '');
  const [touched, setTouched] = useState(false);
  const [asking, setAsking] = useState(false);
  const [taken, setTaken] = useState<string>();
  const parsed = useMemo(() => parseExactly(text), [text]);
  const size = useMemo(() => new Blob([text]).size, [text]);
  const problem = !parsed.ok ? parsed.problem : parsed.value === undefined ? t('A value is needed; null is one.') : undefined;
  const edited = name === undefined ? key !== '' || text !== '{}' : text !== stored;
  const elsewhere = name !== undefined && !gone && item !== undefined && item.version !== base.version;
  const conflict = edited && (elsewhere || gone);
  // A run may write while this is open: what nobody has touched follows, what was typed stays.
  useEffect(() => {
    if (!elsewhere || (edited && text !== base.text)) return;
    setText(stored);
    setBase({ text: stored, version: item?.version });
  }, [elsewhere, edited, text, base, stored, item]);
  useEffect(() => {
    keepDraft(agent.id, at, name, edited ? { text, version: base.version, ...(name === undefined && { key }) } : undefined);
  }, [agent.id, at, name, edited, text, base.version, key]);

  const itemKey = [...keys.kv(agent.id), 'item', at.function, at.scope, name ?? ''];
  const save = () =>
    act('save', async () => {
      if (!parsed.ok) return;
      const to = name ?? key.trim();
      const seconds = touched || !item ? ttl : secondsLeft(item, Date.now());
      const one = { key: to, value: parsed.value, ...(typeof seconds === 'number' && seconds > 0 ? { ttlSeconds: seconds } : {}) };
      const fresh = name === undefined || gone;
      try {
        const done = await client.call('PUT /api/local/agents/:agent/kv/items', {
          params: { agent: agent.id },
          body: { ...at, items: [one], ...(fresh ? { keepExisting: true } : { ifVersion: base.version }) },
        });
        if (done.kept > 0) {
          if (name === undefined) setTaken(to);
          else await cache.invalidateQueries({ queryKey: itemKey });
          return;
        }
      } catch (error) {
        // Somebody was quicker: what they wrote is shown beside what was typed.
        if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') throw error;
        const now = (error.details as KVConflict | undefined)?.item;
        if (now) cache.setQueryData(itemKey, now);
        else await cache.invalidateQueries({ queryKey: itemKey });
        return;
      }
      keepDraft(agent.id, at, name, undefined);
      if (name !== undefined) {
        const now = await client.call('GET /api/local/agents/:agent/kv/item', { params: { agent: agent.id }, query: { ...at, key: to } });
        cache.setQueryData(itemKey, now);
        setText((typed) => (typed === text ? jsonText(now.value) : typed));
        setBase({ text: jsonText(now.value), version: now.version });
      }
      setTouched(false);
      notifications.show({ message: t('{key} is stored', { key: to }) });
      onSaved(to);
    });
  const remove = () =>
    act(
      'delete',
      async () => {
        await client.call('DELETE /api/local/agents/:agent/kv/item', { params: { agent: agent.id }, query: { ...at, key } });
        keepDraft(agent.id, at, name, undefined);
        onDeleted();
      },
      t('{key} is deleted', { key }),
    );
  const stands = taken !== undefined && taken === key.trim();
  return (
    <div className={classes.editorBody}>
      {conflict && (
        <KeyConflict
          theirs={gone ? undefined : stored}
          mine={text}
          onTheirs={() => {
            setText(stored);
            setBase({ text: stored, version: item?.version });
          }}
          onMine={() => setBase({ text: stored, version: item?.version })}
        />
      )}
      {gone && !conflict && (
        <p className={classes.note} role="status">
          {t('The key has gone. Saving writes it anew.')}
        </p>
      )}
      {name === undefined && (
        <TextInput
          label={t('Key')}
          data-autofocus
          spellCheck={false}
          value={key}
          ref={focusOnce}
          error={stands && t('There is a key of that name. Choose another, or open that one in the list.')}
          onChange={(e) => setKey(e.currentTarget.value)}
        />
      )}
      {text.length > editsUpTo ? (
        <LargeValue name={key} text={text} size={size} onReplace={() => setText('')} />
      ) : (
        <Textarea
          label={t('Value')}
          description={`JSON · ${bytes(size)}`}
          spellCheck={false}
          {...(text.length <= growsUpTo ? { autosize: true, minRows: 10, maxRows: 26 } : { rows: 26 })}
          value={text}
          error={problem}
          classNames={{ input: classes.json }}
          onChange={(e) => setText(e.currentTarget.value)}
        />
      )}
      <NumberInput
        label={t('Goes after')}
        description={item?.expiresAt && !touched && !gone ? t('It goes at {when}, and a new value does not change that. Seconds count from when they are saved.', { when: dateTime(item.expiresAt) }) : t('Seconds from when it is saved; empty keeps it.')}
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
          {name !== undefined && !gone && (
            <Button variant="subtle" color="red" leftSection={<Trash2 size={13} />} onClick={() => setAsking(true)}>
              {t('Delete')}
            </Button>
          )}
          <span className={classes.grow} />
          {item !== undefined && !gone && edited && !conflict && (
            <Button variant="default" onClick={() => setText(stored)}>
              {t('Undo')}
            </Button>
          )}
          <Button disabled={!(name === undefined || edited || touched || gone) || (elsewhere && conflict) || Boolean(problem) || (name === undefined && key.trim() === '') || stands} loading={busy === 'save'} onClick={() => void save()}>
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
