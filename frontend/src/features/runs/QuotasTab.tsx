import type { InvocationDetail } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { bytes, duration } from '../../ui/format';
import { spanOf } from '../../ui/waterfall/scale';
import { burnDown, quotasOf, type Quota } from './quotas';
import classes from './QuotasTab.module.css';

/** What a run used of each quota, and how it went down while it ran. */
export function QuotasTab({ run }: { run: InvocationDetail }) {
  const end = spanOf(run.trace ?? [], run.duration_ms).to;
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">{t('Quotas of the run')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Quota')}</th>
          <th scope="col">{t('Used')}</th>
          <th scope="col">{t('Of')}</th>
          <th scope="col">{t('Left over time')}</th>
        </tr>
      </thead>
      <tbody>
        {quotasOf(run).map((q) => (
          <tr key={q.name} data-over={q.used >= q.most || undefined}>
            <th scope="row">{q.name}</th>
            <td className={classes.number}>{text(q, q.used)}</td>
            <td className={classes.number}>{text(q, q.most)}</td>
            <td>
              {q.steps.length > 0 ? (
                <svg className={classes.plot} viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={t('{name}: {steps} steps down, {text} left at the end', { name: q.name, steps: q.steps.length, text: text(q, Math.max(0, q.most - q.used)) })}>
                  <polygon className={classes.area} points={`0,100 ${burnDown(q, end)} 100,100`} />
                  <polyline className={classes.line} points={burnDown(q, end)} />
                </svg>
              ) : (
                <span className={classes.meter} role="img" aria-label={t('{n} % used', { n: Math.round((q.used / q.most) * 100) })}>
                  <span className={classes.fill} style={{ width: `${Math.max(0, 100 - (q.used / q.most) * 100)}%` }} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function text(quota: Quota, n: number): string {
  return quota.unit === 'bytes' ? bytes(n) : quota.unit === 'ms' ? duration(n) : String(n);
}
