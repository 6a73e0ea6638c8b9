import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { PermissionUse, WorkFunction } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { editText, permissionsTo } from '../../manifest/edit';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago } from '../../ui/format';
import { isObject } from '../../ui/schema/schema';
import { EmptyState } from '../../ui/EmptyState';
import { StatusChip } from '../../ui/StatusChip';
import { TextDiff } from '../../ui/TextDiff';
import { useFix } from '../runs/useFix';
import classes from './LeastPrivilege.module.css';

/** Runs from which what was never used can be believed to be never needed. */
const enough = 10;

/** What the function is granted and never used, and the manifest that would be enough. */
export function LeastPrivilege({ agent, name, work }: { agent: string; name: string; work: WorkFunction }) {
  const { client } = useApi();
  const fix = useFix(agent, name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const report = useQuery({
    queryKey: keys.permissions(agent, name),
    staleTime: 0,
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/functions/:name/permissions', { params: { agent, name }, signal }),
  });
  if (work.version === 0) return <EmptyState icon={<ShieldCheck size={18} />} title={t('Nothing serves yet')}>{t('Save a version that loads, and what it is granted shows here.')}</EmptyState>;
  if (report.isPending) return <Skeleton height={140} radius={0} />;
  if (report.isError) {
    return (
      <div className={classes.panel}>
        <ErrorBox title={messageOf(report.error)} onRetry={() => void report.refetch()} />
      </div>
    );
  }
  const { runs, present, complete, since, grants, suggested } = report.data;
  const edit = isObject(suggested) ? permissionsTo(suggested) : undefined;
  const text = work.manifest?.text;
  const next = edit && text !== undefined ? editText(text, [edit]) : undefined;
  const accept = async () => {
    if (!edit) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await fix([edit], (now) => t('Version {version} has only what its runs used.', { version: now.version }));
      await report.refetch();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.panel}>
      <p className={classes.about}>
        {runs === 0 ? t('No run to judge by yet.') : since ? t('From {n, plural, one {# recorded run} other {# recorded runs}}, {present} of them of this version, the oldest {when}.', { n: runs, present, when: ago(since) }) : t('From {n, plural, one {# recorded run} other {# recorded runs}}, {present} of them of this version.', { n: runs, present })}
        {!complete && t(' There is more than was looked at: check what is taken away.')}
      </p>
      {grants.length === 0 ? (
        <EmptyState icon={<ShieldCheck size={18} />} title={t('It is granted nothing')}>{t('The least there is.')}</EmptyState>
      ) : (
        <ul className={classes.list} aria-label={t('What {name} is granted', { name })}>
          {grants.map((g) => (
            <li key={g.grant} className={classes.row}>
              <StatusChip tone={g.unseen ? 'dim' : g.suggest === 'none' ? 'warn' : g.suggest ? 'warn' : g.uses ? 'ok' : 'dim'}>{wordOf(g)}</StatusChip>
              <code className={classes.grant}>{g.grant.replace(':', ' ')}</code>
              <span className={classes.uses}>{g.uses > 0 ? t('{n, plural, one {# use} other {# uses}}, last {when}', { n: g.uses, when: ago(g.lastUsed ?? '') }) : ''}</span>
            </li>
          ))}
        </ul>
      )}
      {next !== undefined && text !== undefined && (
        <>
          <h3 className={classes.title}>{t('What would be enough')}</h3>
          {runs < enough && (
            <p className={classes.few} role="note">
              {t('{n, plural, one {One run is} other {# runs are}} little to judge by: what it does in rarer cases may need more. Run it in those first, or undo this when it is denied something.', { n: runs })}
            </p>
          )}
          <TextDiff left={text} right={next} label={t('The manifest now, beside the smaller one')} />
          <div>
            <Button variant={runs < enough ? 'default' : 'filled'} loading={busy} onClick={() => void accept()}>
              {t('Take away what was never used')}
            </Button>
          </div>
        </>
      )}
      {edit && text === undefined && <p className={classes.about}>{t('Its manifest is in the header of its source or in AGENT.md: change it there.')}</p>}
      {runs > 0 && !edit && grants.length > 0 && <p className={classes.about}>{t('Everything it is granted was used.')}</p>}
      {problem && <ErrorBox title={t('Not changed')}>{problem}</ErrorBox>}
    </div>
  );
}

function wordOf(g: PermissionUse): string {
  if (g.unseen) return t('not seen in runs');
  if (g.suggest === 'none') return t('never used');
  return g.suggest ? t('{split} is enough', { split: g.suggest.split(':').at(-1) }) : g.uses > 0 ? t('used') : t('not judged');
}
