import { Button, Skeleton } from '@mantine/core';
import type { InvocationDetail } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { links } from '../../api/links';
import { useVersion } from '../../api/queries';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { later } from '../../ui/later';
import classes from './SourceTab.module.css';

const CodeView = later(() => import('../functions/editor/CodeView'), { meanwhile: () => <Skeleton height="100%" radius={0} /> });

/** The source of the version that ran, with the place where it failed. */
export function SourceTab({ run }: { run: InvocationDetail }) {
  const version = useVersion(run.agent_id, run.function_name, run.function_version);
  if (!run.function_version) return <EmptyState title={t('No version ran')}>{t('This row is not about a run.')}</EmptyState>;
  if (version.isError) return <ErrorBox title={messageOf(version.error)} onRetry={() => void version.refetch()} />;
  if (!version.data) return <Skeleton height={260} radius={0} />;
  return (
    <div className={classes.source}>
      <p className={classes.note}>
        {t('Version {function_version} of {file}', { function_version: run.function_version, file: version.data.file || run.function_name })}
        <Button component="a" href={`#${links.version(run.agent_id, run.function_name, run.function_version)}`} size="compact-xs" variant="default">
          {t('Compare with the text now')}
        </Button>
      </p>
      <div className={classes.code}>
        <CodeView text={version.data.source} language="javascript" label={t('Version {function_version} of {function_name}', { function_version: run.function_version, function_name: run.function_name })} line={run.error_at?.line} />
      </div>
    </div>
  );
}
