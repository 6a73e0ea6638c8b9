import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { JsonView } from '../../ui/JsonView';
import { StatusChip } from '../../ui/StatusChip';
import { readCard } from './a2a';
import { cardProblems, servedProblems } from './card';
import classes from './Chat.module.css';

/** A card as an agent serves it, and what is wrong with it. */
export function AgentCard({ card, contentType }: { card: unknown; contentType: string }) {
  const native = useNative();
  const view = readCard(card);
  const problems = [...cardProblems(card), ...servedProblems(contentType)];
  const broken = problems.filter((p) => !p.warning).length;
  return (
    <section className={classes.card} aria-label={t('Agent card')}>
      <div className={classes.cardHead}>
        <h2 className={classes.cardTitle}>{view?.name || t('A card without a name')}</h2>
        <span data-testid="card-state">
          {problems.length === 0 && <StatusChip tone="ok">{t('valid for A2A 1.0')}</StatusChip>}
          {problems.length > 0 && <StatusChip tone={broken ? 'bad' : 'warn'}>{broken ? t('{n, plural, one {# problem} other {# problems}}', { n: broken }) : t('{n, plural, one {# warning} other {# warnings}}', { n: problems.length })}</StatusChip>}
        </span>
      </div>
      {view?.description && <p className={classes.cardText}>{view.description}</p>}
      {problems.length > 0 && (
        <ul className={classes.problems} aria-label={t('What is wrong with the card')}>
          {problems.map((p, i) => (
            <li key={i} data-warning={p.warning}>
              <span>
                {p.warning ? t('Warning: ') : ''}
                <code>{p.path || 'the card'}</code> {p.text}.
              </span>
              {p.todo && <span className={classes.todo}>{p.todo}</span>}
            </li>
          ))}
        </ul>
      )}
      {view && (
        <ul className={classes.cardList}>
          {view.interfaces.map((i, n) => (
            <li key={n}>
              <code>{i}</code>
            </li>
          ))}
          {view.skills.map((s, n) => (
            <li key={n}>
              <b>{s.name}</b> {s.description}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t('The card as it is served')}</summary>
        <JsonView value={card} label={t('Agent card, raw')} onCopy={(text) => void native.copy(text)} />
      </details>
    </section>
  );
}
