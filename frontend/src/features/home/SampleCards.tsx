import { Loader } from '@mantine/core';
import { ArrowRight, Sparkles } from 'lucide-react';
import type { Sample } from '../../api/contract.gen';
import classes from './SampleCards.module.css';

/** One card for each sample project; a click makes its folder and opens it. */
export function SampleCards({ samples, busy, onPick }: { samples: readonly Sample[]; busy: string | undefined; onPick: (name: string) => void }) {
  return (
    <div className={classes.cards}>
      {samples.map((s) => (
        <button key={s.name} type="button" className={classes.card} disabled={busy !== undefined} onClick={() => onPick(s.name)}>
          <span className={classes.icon}>{busy === `sample:${s.name}` ? <Loader size={16} /> : <Sparkles size={17} aria-hidden />}</span>
          <span className={classes.body}>
            <span className={classes.title}>{s.title}</span>
            <span className={classes.text}>{s.description}</span>
          </span>
          <ArrowRight size={15} className={classes.arrow} aria-hidden />
        </button>
      ))}
    </div>
  );
}
