import type { InvocationDetail, TraceEntry } from '../../api/contract.gen';
import { useInvocation } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { deniedIn, deniedInside } from '../../manifest/why';
import { WhyDenied } from './WhyDenied';
import classes from './WhyDenied.module.css';

/** Refusals shown of one run; a loop that changes its address would fill the page. */
const most = 5;

/** Everything that a run was denied, also where its function caught it, and what runs inside it were. */
export function Denied({ run, onFixed }: { run: InvocationDetail; onFixed: (() => void) | undefined }) {
  const trace = run.trace ?? [];
  return (
    <>
      {unlike(deniedIn(trace))
        .slice(0, most)
        .map((entry, i) => (
          <WhyDenied key={i} agent={run.agent_id} name={run.function_name} entry={entry} manifest={run.manifest} onFixed={onFixed} />
        ))}
      {deniedInside(trace)
        .slice(0, most)
        .map((id) => (
          <DeniedInside key={id} id={id} onFixed={onFixed} />
        ))}
    </>
  );
}

/** What a run inside another was denied: the manifest to change is that of its own function. */
export function DeniedInside({ id, onFixed }: { id: string; onFixed: (() => void) | undefined }) {
  const run = useInvocation(id).data;
  if (!run) return null;
  return (
    <section className={classes.inside} aria-label={t('What {name} was denied', { name: run.function_name })}>
      <p className={classes.inner}>{rich('In <1>{name}</1>, which was called:', [<code />], { name: run.function_name })}</p>
      <Denied run={run} onFixed={onFixed} />
    </section>
  );
}

/** One of each: a loop is denied the same thing again and again. */
function unlike(entries: readonly TraceEntry[]): TraceEntry[] {
  return [...new Map(entries.map((e) => [`${e.name} ${e.error?.message ?? ''}`, e])).values()];
}
