import type { InvocationDetail, TraceEntry } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { askedBy, grantFor, grantsOf, memberOf, permissionsOf } from '../../manifest/grants';
import { deniedIn, deniedInside } from '../../manifest/why';
import { EmptyState } from '../../ui/EmptyState';
import { StatusChip } from '../../ui/StatusChip';
import classes from './PermissionsTab.module.css';
import { DeniedInside } from './Denied';
import { WhyDenied } from './WhyDenied';

/** What a run asked for: allowed, denied, and what it was granted and did not use. */
export function PermissionsTab({ run, onFixed }: { run: InvocationDetail; onFixed: (() => void) | undefined }) {
  const p = permissionsOf(run.manifest);
  const trace = run.trace ?? [];
  const denied = deniedIn(trace);
  const inside = deniedInside(trace);
  const rows = linesOf(trace.filter((e) => !denied.includes(e)));
  const used = new Set(trace.filter((e) => !denied.includes(e)).flatMap((e) => grantFor(e, p) ?? []));
  if (used.has('secrets:write')) for (const e of trace) if (e.name === 'secrets.put') used.add(`secrets:${(e.args as { name?: string } | undefined)?.name ?? ''}`);
  const unused = grantsOf(p).filter((g) => !used.has(g.key));
  if (rows.length + denied.length + inside.length + unused.length === 0) return <EmptyState title={t('Nothing asked, nothing granted')}>{t('This run made no call that needs a permission.')}</EmptyState>;
  return (
    <div className={classes.tab}>
      {denied.map((entry, i) => (
        <div key={i}>
          <div className={classes.line}>
            <StatusChip tone="bad">{t('denied')}</StatusChip>
            <code className={classes.what}>{entry.name}</code>
          </div>
          <WhyDenied agent={run.agent_id} name={run.function_name} entry={entry} manifest={run.manifest} onFixed={onFixed} />
        </div>
      ))}
      {inside.map((id) => (
        <DeniedInside key={id} id={id} onFixed={onFixed} />
      ))}
      {rows.map((row) => (
        <div key={`${row.what} ${row.need}`} className={classes.line}>
          <StatusChip tone="ok">{t('allowed')}</StatusChip>
          <code className={classes.what}>{row.what}</code>
          <span className={classes.need}>{row.need}</span>
          <span className={classes.times}>{t('{n, plural, one {# call} other {# calls}}', { n: row.times })}</span>
        </div>
      ))}
      {unused.map((g) => (
        <div key={g.key} className={classes.line}>
          <StatusChip tone="dim">{t('unused')}</StatusChip>
          <code className={classes.what}>{g.label}</code>
          <span className={classes.need}>{t('granted, not used by this run')}</span>
        </div>
      ))}
    </div>
  );
}

function linesOf(trace: readonly TraceEntry[]): { what: string; need: string; times: number }[] {
  const lines = new Map<string, { what: string; need: string; times: number }>();
  for (const entry of trace) {
    const asked = askedBy(entry);
    if (!asked) continue;
    const what = entry.kind === 'fetch' ? 'ctx.fetch' : `ctx.${memberOf(entry.name)}`;
    const line = lines.get(`${what} ${asked.need}`) ?? { what, need: asked.need, times: 0 };
    line.times++;
    lines.set(`${what} ${asked.need}`, line);
  }
  return [...lines.values()];
}
