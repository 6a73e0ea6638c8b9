import { t } from '../i18n/t';
import { Hint } from '../ui/Keys';
import classes from './Rail.module.css';
import type { Screen } from './screen';
import { screens } from './screens';

/** The places, on the left. */
export function Rail({ current, hasAgent, onGo }: { current?: string; hasAgent: boolean; onGo: (id: string) => void }) {
  const item = ({ id, title, icon: Icon, command, ofAgent }: Screen) => (
    <Hint key={id} label={title} command={command} position="right">
      <button
        type="button"
        className={classes.item}
        aria-current={current === id ? 'page' : undefined}
        disabled={ofAgent && !hasAgent}
        onClick={() => onGo(id)}
      >
        <Icon size={19} strokeWidth={1.8} aria-hidden />
        <span className={classes.label}>{title}</span>
      </button>
    </Hint>
  );
  return (
    <nav className={classes.rail} aria-label={t('Places')}>
      {screens.filter((s) => s.where === 'rail').map(item)}
      <span className={classes.space} />
      {screens.filter((s) => s.where === 'bottom').map(item)}
    </nav>
  );
}
