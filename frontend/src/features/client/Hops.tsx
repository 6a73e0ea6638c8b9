import { t } from '../../i18n/t';
import { visible } from '../../ui/format';
import { StatusChip } from '../../ui/StatusChip';
import classes from './Client.module.css';
import { headerOf, type Exchange } from './exchange';

const reasons: Record<string, string> = {
  origin: t('It leads off this platform, where Client sends nothing.'),
  console: t('It leads to the console’s own routes, which are not for clients.'),
  location: t('Its Location is no address.'),
  many: t('There were ten before it.'),
};

/** Where an answer led: each that was followed, and the last one if it leads on. */
export function Hops({ x }: { x: Exchange }) {
  const { hops = [], head } = x;
  const on = head && [301, 302, 303, 307, 308].includes(head.status) ? headerOf(x, 'location') : '';
  if (hops.length === 0 && !on) return null;
  return (
    <ol className={classes.hops} aria-label={t('Redirects')}>
      {hops.map((hop, i) => (
        <li key={i}>
          <StatusChip tone="warn">{hop.status}</StatusChip>
          <code>Location: {visible(hop.headers.find((h) => h.name.toLowerCase() === 'location')?.value ?? '')}</code>
          <span className={classes.note}>
            {t('followed with {request}', { request: `${hop.method} ${visible(hop.path)}` })}
            {hop.bare && t(', without credentials: it is no address of the same agent')}
          </span>
        </li>
      ))}
      {on && (
        <li>
          <StatusChip tone="warn">{head?.status}</StatusChip>
          <code>Location: {visible(on)}</code>
          <span className={classes.note}>
            {t('not followed.')} {head?.stayed ? reasons[head.stayed] : ''}
          </span>
        </li>
      )}
    </ol>
  );
}
