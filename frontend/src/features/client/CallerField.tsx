import { PasswordInput, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/ApiContext';
import type { ClientCaller } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import classes from './Client.module.css';

/** As whom a request is sent. */
export function CallerField({ caller, onChange, problem }: { caller: ClientCaller; onChange: (caller: ClientCaller) => void; problem?: string | undefined }) {
  const { client } = useApi();
  const visitors = useQuery({ queryKey: keys.visitors, queryFn: ({ signal }) => client.call('GET /api/local/visitors', { signal }) }).data?.visitors ?? [];
  const data = [
    { value: 'owner', label: t('You, the owner') },
    { value: 'anonymous', label: t('Nobody (anonymous)') },
    ...visitors.map((v) => ({ value: `visitor:${v.id}`, label: t('Visitor {name}', { name: v.name }) })),
    { value: 'bearer', label: t('A token or API key') },
  ];
  return (
    <div className={classes.caller}>
      <Select
        aria-label={t('Caller')}
        w={190}
        data={data}
        value={caller.kind === 'visitor' ? `visitor:${caller.id}` : caller.kind}
        allowDeselect={false}
        onChange={(v) => {
          const [kind = 'owner', id] = (v ?? 'owner').split(':');
          onChange(id ? { kind, id } : { kind });
        }}
      />
      {caller.kind === 'bearer' && (
        <PasswordInput aria-label={t('Token')} placeholder={t('Token or API key')} w={240} value={caller.token ?? ''} error={problem} onChange={(e) => onChange({ kind: 'bearer', token: e.currentTarget.value })} autoComplete="off" />
      )}
    </div>
  );
}
