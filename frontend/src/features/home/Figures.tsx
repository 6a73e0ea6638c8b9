import { memo, useCallback, useMemo } from 'react';
import type { FunctionStats } from '../../api/contract.gen';
import { links } from '../../api/links';
import { locale } from '../../i18n/language';
import { t } from '../../i18n/t';
import { Bars } from '../../ui/Bars';
import { ago, clock, dateTime, duration } from '../../ui/format';
import page from '../../ui/page.module.css';
import classes from './Health.module.css';

interface Props {
  f: FunctionStats;
  agent: string;
  /** Whether there are several agents, so that it has to be said whose function it is. */
  several: boolean;
  /** When the time that is looked at begins, and how much of it a bar is. */
  from: string;
  bucketMs: number;
  /** The same time in the words of a filter. */
  over: string;
  now: number;
  go: (to: string) => void;
}

/** How one function did, a row of the table. */
export const Figures = memo(function Figures({ f, agent, several, from, bucketMs, over, now, go }: Props) {
  const name = several ? `${agent} / ${f.function}` : f.function;
  const query = (rest: string) => go(links.activity(`${several ? `agent:${agent} ` : ''}fn:${f.function} ${rest}after:${over}`));
  const calls = useMemo(() => f.buckets.map((b) => ({ value: b.calls, bad: b.errors })), [f.buckets]);
  const times = useMemo(() => f.buckets.map((b) => ({ value: b.p95Ms })), [f.buckets]);
  const when = useCallback(
    (i: number) => {
      const at = Date.parse(from) + i * bucketMs;
      return bucketMs < 3_600_000 ? clock(at) : dateTime(at);
    },
    [from, bucketMs],
  );
  const callsAt = useCallback((i: number) => `${when(i)}: ${countsOf(f.buckets[i])}`, [f.buckets, when]);
  const timeAt = useCallback((i: number) => `${when(i)}: ${duration(f.buckets[i]?.p95Ms ?? 0)}`, [f.buckets, when]);
  return (
    <tr>
      <th scope="row">
        <button type="button" className={`${page.link} ${classes.name}`} onClick={() => agent && go(links.function(agent, f.function))}>
          {name}
        </button>
      </th>
      <td className={classes.number}>
        <button type="button" className={classes.figure} onClick={() => query('')}>
          {f.calls.toLocaleString(locale())}
        </button>
      </td>
      <td className={classes.plot}>
        <Bars label={t('Calls of {name} over time: {summary}', { name, summary: countsOf(f) })} bars={calls} titleOf={callsAt} />
      </td>
      <td className={classes.number}>
        {f.errors > 0 ? (
          <button type="button" className={classes.bad} onClick={() => query('status:error ')}>
            {f.errors.toLocaleString(locale())}
            <span className={classes.rate}>· {Math.max(1, Math.round((f.errors / f.calls) * 100))} %</span>
          </button>
        ) : (
          <span className={classes.zero}>0</span>
        )}
      </td>
      <td className={classes.number} title={t('half within {time}, longest {time2}', { time: duration(f.p50Ms), time2: duration(f.maxMs) })}>
        {duration(f.p95Ms)}
      </td>
      <td className={classes.plot}>
        <Bars tone="run" label={t('p95 of {name} over time, {time} in all', { name, time: duration(f.p95Ms) })} bars={times} titleOf={timeAt} />
      </td>
      <td className={classes.last}>{f.running > 0 ? t('{running} running', { running: f.running }) : ago(f.lastAt, now)}</td>
    </tr>
  );
});

function countsOf({ calls, errors } = { calls: 0, errors: 0 }): string {
  return `${t('{n, plural, one {# call} other {# calls}}', { n: calls })}, ${t('{n, plural, one {# error} other {# errors}}', { n: errors })}`;
}
