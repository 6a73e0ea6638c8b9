import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Visitor } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import classes from './Settings.module.css';
import { ShownOnce } from './ShownOnce';

/** Made-up people to try custom endpoints with. */
export function Visitors() {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<{ name: string; value: string }>();
  const list = useQuery({ queryKey: [...keys.credentials, 'visitors'], queryFn: ({ signal }) => client.call('GET /api/local/visitors', { signal }) });
  const refresh = () => cache.invalidateQueries({ queryKey: keys.credentials });
  const key = (v: Visitor) =>
    act(`key:${v.id}`, async () => {
      const made = await client.call('POST /api/local/visitors/:id/key', { params: { id: v.id } });
      setMade({ name: v.name, value: made.rawKey });
    });
  const drop = (v: Visitor) =>
    act(
      `drop:${v.id}`,
      async () => {
        await client.call('DELETE /api/local/visitors/:id', { params: { id: v.id } });
        await refresh();
      },
      t('{name} is gone, and so are their keys', { name: v.name }),
    );
  return (
    <section className={classes.section} aria-labelledby="visitors">
      <div className={classes.head}>
        <h2 id="visitors" tabIndex={-1} className={classes.title}>
          {t('Visitors')}
        </h2>
        <Button variant="default" size="compact-sm" leftSection={<Plus size={13} />} onClick={() => setAdding(true)}>
          {t('Add a visitor')}
        </Button>
      </div>
      <p className={classes.about}>{t('Made-up people to try endpoints with: they sign in to what agents serve and manage nothing.')}</p>
      {list.isError && <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      <ul className={page.list}>
        {(list.data?.visitors ?? []).map((v) => (
          <li key={v.id} className={classes.item}>
            <span className={classes.itemName}>
              {v.name}
              <span className={page.dim}>{v.email}</span>
            </span>
            <Button size="compact-xs" variant="default" loading={busy === `key:${v.id}`} aria-label={t('New key for {name}', { name: v.name })} onClick={() => void key(v)}>
              {t('New key')}
            </Button>
            <Button size="compact-xs" variant="subtle" color="red" loading={busy === `drop:${v.id}`} aria-label={t('Remove {name}', { name: v.name })} onClick={() => void drop(v)}>
              {t('Remove')}
            </Button>
          </li>
        ))}
        {list.data?.visitors.length === 0 && <li className={classes.none}>{t('Nobody yet.')}</li>}
      </ul>
      {adding && (
        <NewVisitor
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            void refresh();
          }}
        />
      )}
      {made && <ShownOnce title={t('Key for {name}', { name: made.name })} text={t('An endpoint takes it as Authorization: Bearer, or as X-API-Key.')} value={made.value} onClose={() => setMade(undefined)} />}
    </section>
  );
}

function NewVisitor({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { client } = useApi();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await client.call('POST /api/local/visitors', { body: { name: name.trim(), ...(email.trim() && { email: email.trim() }) } });
      onAdded();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('Add a visitor')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={page.form} onSubmit={(e) => void submit(e)}>
        <TextInput label={t('Name')} data-autofocus value={name} onChange={(e) => setName(e.currentTarget.value)} />
        <TextInput label={t('Email')} description={t('A function sees it when it asks for the profile.')} value={email} onChange={(e) => setEmail(e.currentTarget.value)} />
        {problem && <ErrorBox title={problem} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={!name.trim()}>
            {t('Add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
