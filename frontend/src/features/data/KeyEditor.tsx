import { ActionIcon, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useApi } from '../../api/ApiContext';
import { ApiError, messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { visible } from '../../ui/format';
import classes from './Data.module.css';
import { KeyForm, type KeyProps } from './KeyForm';

/** One key: its value as JSON, and how long it stays. */
export function KeyEditor(props: KeyProps) {
  const { client } = useApi();
  const { agent, at, name, onClose } = props;
  const item = useQuery({
    queryKey: [...keys.kv(agent.id), 'item', at.function, at.scope, name ?? ''],
    enabled: name !== undefined,
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/kv/item', { params: { agent: agent.id }, query: { ...at, key: name ?? '' }, signal }),
    retry: false,
  });
  // What was there before it went stays in view, with what was typed.
  const gone = item.isError && item.error instanceof ApiError && item.error.code === 'NOT_FOUND' && item.data !== undefined;
  return (
    <aside className={classes.editor} aria-label={name === undefined ? t('New key') : t('Key {name}', { name })}>
      <div className={classes.editorHead}>
        <h2 className={classes.editorTitle}>{name === undefined ? t('New key') : visible(name)}</h2>
        <ActionIcon aria-label={t('Close')} onClick={onClose}>
          <X size={15} />
        </ActionIcon>
      </div>
      {item.isError && !gone && <ErrorBox title={messageOf(item.error)} onRetry={() => void item.refetch()} />}
      {name !== undefined && item.isPending && <Skeleton height={200} radius="md" />}
      {(name === undefined || item.data) && <KeyForm {...props} item={item.data} gone={gone} />}
    </aside>
  );
}
