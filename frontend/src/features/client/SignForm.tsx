import { Button, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { Signature } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../i18n/t';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import classes from './Client.module.css';
import type { Draft } from './draft';
import { canSign, generic, schemes, signatureOf, withHeaders, type Generic, type Scheme } from './sign';

/** Signs the body as a sender of webhooks does. The secret stays in this page and is forgotten with it. */
export function SignForm({ draft, onSigned }: { draft: Draft; onSigned: (headers: string) => void }) {
  const { busy, act } = useAct();
  const [open, setOpen] = useState(false);
  const [scheme, setScheme] = useState<Scheme>('stripe');
  const [secret, setSecret] = useState('');
  const [as, setAs] = useState(generic);
  if (!canSign()) return null;
  const named = scheme !== 'generic' || /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(as.header);
  const sign = () =>
    act(
      'sign',
      async () => {
        const set = await signatureOf(scheme, secret, draft.file?.bytes ?? draft.body, Math.floor(Date.now() / 1000), as);
        onSigned(withHeaders(draft.headers, set));
        setOpen(false);
      },
      t('Signed for the body as it is now'),
    );
  return (
    <>
      <Button variant="default" leftSection={<Signature size={13} />} disabled={draft.file !== undefined && !draft.file.bytes} onClick={() => setOpen(true)}>
        {t('Sign')}
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={t('Sign as a webhook')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        <form
          className={page.form}
          onSubmit={(e) => {
            e.preventDefault();
            e.stopPropagation(); // a form of the page around it
            if (secret && named) void sign();
          }}
        >
          <Select
            label={t('As')}
            description={t('Sets {sets}', { sets: schemes.find((s) => s.value === scheme)?.sets ?? '' })}
            data={schemes.map(({ value, label }) => ({ value, label }))}
            value={scheme}
            allowDeselect={false}
            onChange={(v) => setScheme((v ?? 'stripe') as Scheme)}
          />
          {scheme === 'generic' && (
            <>
              <TextInput label={t('Header')} value={as.header} error={named ? undefined : t('A name without spaces')} onChange={(e) => setAs({ ...as, header: e.currentTarget.value })} spellCheck={false} />
              <div className={classes.digest}>
                <Select label={t('Hash')} data={['SHA-256', 'SHA-1', 'SHA-512']} value={as.hash} allowDeselect={false} onChange={(v) => setAs({ ...as, hash: (v ?? 'SHA-256') as Generic['hash'] })} />
                <Select label={t('Written in')} data={['hex', 'base64']} value={as.encoding} allowDeselect={false} onChange={(v) => setAs({ ...as, encoding: (v ?? 'hex') as Generic['encoding'] })} />
                <TextInput label={t('After')} placeholder="sha256=" value={as.prefix} onChange={(e) => setAs({ ...as, prefix: e.currentTarget.value.replace(/\s/g, '') })} spellCheck={false} />
              </div>
            </>
          )}
          <PasswordInput label={t('Secret')} description={t('It is used in this page and not kept.')} value={secret} onChange={(e) => setSecret(e.currentTarget.value)} autoComplete="off" data-autofocus />
          <div className={page.buttons}>
            <Button variant="default" onClick={() => setOpen(false)}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={!secret || !named} loading={busy !== undefined}>
              {t('Sign it')}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
