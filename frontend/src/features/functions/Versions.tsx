import { Button, Skeleton } from '@mantine/core';
import { messageOf } from '../../api/errors';
import { useVersions } from '../../api/queries';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { bytes, dateTime } from '../../ui/format';
import { StatusChip } from '../../ui/StatusChip';
import classes from './Versions.module.css';

/** Every version that was declared, the newest first. */
export function Versions({ agent, name, onCompare }: { agent: string; name: string; onCompare: (version: number) => void }) {
  const versions = useVersions(agent, name);
  if (versions.isPending) return <Skeleton height={120} radius={0} />;
  if (versions.isError) {
    return (
      <div className={classes.failed}>
        <ErrorBox title={messageOf(versions.error)} onRetry={() => void versions.refetch()} />
      </div>
    );
  }
  return (
    <ol className={classes.list} aria-label={t('Versions of {name}', { name })}>
      {versions.data.versions.map((v) => (
        <li key={v.version} className={classes.row}>
          <span className={classes.number}>v{v.version}</span>
          <span className={classes.about}>
            {dateTime(v.createdAt)}
            <span className={classes.from}>
              {v.surface || 'api'} · {bytes(v.bytes)}
            </span>
          </span>
          {v.version === versions.data.serving ? <StatusChip tone="ok">{t('serves')}</StatusChip> : null}
          <Button size="compact-xs" variant="subtle" aria-label={t('Compare with version {version}', { version: v.version })} onClick={() => onCompare(v.version)}>
            {t('Compare')}
          </Button>
        </li>
      ))}
    </ol>
  );
}
