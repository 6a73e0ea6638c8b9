import { Check } from 'lucide-react';
import type { Agent } from '../../api/contract.gen';
import { links } from '../../api/links';
import { t } from '../../i18n/t';
import { useChecks, type CheckId } from '../../ui/checks';
import classes from './Checklist.module.css';

const checks: readonly { id: CheckId; place: string; title: string; text: string }[] = [
  { id: 'edit', place: 'functions', title: t('Edit and save'), text: t('Change a function here or in your own editor: it is live on the next call.') },
  { id: 'secret', place: 'secrets', title: t('Set a secret'), text: t('Give a binding its value. It is sealed, and never shown again.') },
  { id: 'http', place: 'functions', title: t('Call it over HTTP'), text: t('Run a function as an HTTP request, or copy a call as curl.') },
  { id: 'replay', place: 'functions', title: t('Replay a run'), text: t('Run what ran before once more, as it was or with its input changed.') },
];

/** What to try first; a thing that was done ticks itself off. */
export function Checklist({ agent, go }: { agent: Agent | undefined; go: (to: string) => void }) {
  const done = useChecks();
  const count = checks.filter((c) => done.has(c.id)).length;
  return (
    <aside className={classes.box} aria-labelledby="checklist">
      <div className={classes.head}>
        <h2 id="checklist" className={classes.title}>
          {t('First steps')}
        </h2>
        <span className={classes.count}>
          {t('{count} of {checks}', { count, checks: checks.length })}
        </span>
      </div>
      <div className={classes.bar} aria-hidden>
        <div className={classes.fill} style={{ width: `${(count / checks.length) * 100}%` }} />
      </div>
      <ol className={classes.list}>
        {checks.map((c) => (
          <li key={c.id}>
            <button type="button" className={classes.item} disabled={!agent} onClick={() => agent && go(links.place(agent.username, c.place))}>
              <span className={classes.tick} data-done={done.has(c.id) || undefined}>
                {done.has(c.id) && <Check size={12} strokeWidth={3} aria-hidden />}
              </span>
              <span>
                <span className={classes.name}>
                  {c.title}
                  {done.has(c.id) && <span className="visually-hidden"> {t('(done)')}</span>}
                </span>
                <span className={classes.text}>{c.text}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {!agent && <p className={classes.hint}>{t('Open a sample or a folder, and these become links.')}</p>}
    </aside>
  );
}
