import { SegmentedControl } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { t } from '../../i18n/t';
import page from '../../ui/page.module.css';
import { useStored } from '../../ui/stored';
import { useNow } from '../../ui/useNow';
import { Figures } from './Figures';
import classes from './Health.module.css';

const windows = [
  { value: '3600', label: t('1 hour'), after: '1h' },
  { value: '86400', label: t('24 hours'), after: '24h' },
  { value: '604800', label: t('7 days'), after: '7d' },
] as const;

const buckets = 40;
/** How often runs have the figures read again, in ms. */
const atMostEvery = 4000;
const shownAtOnce = 8;

/** The figures of all functions over the time that is looked at, and that time. They follow what runs. */
export function useHealth() {
  const { client, events } = useApi();
  const cache = useQueryClient();
  const [chosen, choose] = useStored<string>('home.window', '86400');
  const over = windows.find((w) => w.value === chosen) ?? windows[1];
  const stats = useQuery({
    queryKey: keys.stats('', Number(over.value)),
    queryFn: ({ signal }) => client.call('GET /api/local/stats', { query: { window: Number(over.value), buckets }, signal }),
    placeholderData: (before) => before,
    staleTime: 0, // what ran while another place was shown, nobody told us
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = events.subscribe((event) => {
      if (event.event !== 'invocation.finished') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void cache.invalidateQueries({ queryKey: ['stats'] });
      }, atMostEvery);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [cache, events]);
  return { stats, over, choose };
}

/** How the functions do: calls, errors and how long they take, as small plots. Nothing until something ran. */
export function Health({ health, agents, go }: { health: ReturnType<typeof useHealth>; agents: readonly Agent[]; go: (to: string) => void }) {
  const now = useNow(20_000);
  const { stats, over, choose } = health;
  const data = stats.data;
  // Agents that were closed have a past, but no place to go to.
  const rows = (data?.functions ?? []).filter((f) => agents.some((a) => a.id === f.agentId));
  const ranBefore = rows.length > 0 || over.value !== '86400';
  if (!data || !ranBefore) return null;
  const calls = rows.reduce((n, f) => n + f.calls, 0);
  const errors = rows.reduce((n, f) => n + f.errors, 0);
  return (
    <section className={classes.root} aria-labelledby="health">
      <div className={classes.head}>
        <h2 id="health" className={classes.title}>
          {t('How your functions do')}
        </h2>
        <span className={page.dim}>
          {t('{n, plural, one {# call} other {# calls}}', { n: calls })}, {errors === 0 ? t('no errors') : t('{n, plural, one {# error} other {# errors}}', { n: errors })}
          {data.partial && t(', of the newest only')}
        </span>
        <SegmentedControl className={classes.window} aria-label={t('Of which time')} value={over.value} onChange={choose} data={windows.map(({ value, label }) => ({ value, label }))} />
      </div>
      {rows.length === 0 ? (
        <p className={classes.none}>{t('Nothing ran in this time.')}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('Function')}</th>
                <th scope="col">{t('Calls')}</th>
                <th scope="col" className={classes.plot}>
                  <span className="visually-hidden">{t('Calls over time')}</span>
                </th>
                <th scope="col">{t('Errors')}</th>
                <th scope="col">p95</th>
                <th scope="col" className={classes.plot}>
                  <span className="visually-hidden">{t('p95 over time')}</span>
                </th>
                <th scope="col">{t('Last')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shownAtOnce).map((f) => (
                <Figures
                  key={`${f.agentId}/${f.function}`}
                  f={f}
                  agent={agents.find((a) => a.id === f.agentId)?.username ?? ''}
                  several={agents.length > 1}
                  from={data.from}
                  bucketMs={data.bucketMs}
                  over={over.after}
                  now={now}
                  go={go}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > shownAtOnce && (
        <button type="button" className={`${page.link} ${classes.more}`} onClick={() => go(links.activity(`after:${over.after}`))}>
          {t('{n, plural, one {# more function} other {# more functions}}', { n: rows.length - shownAtOnce })}
        </button>
      )}
    </section>
  );
}
