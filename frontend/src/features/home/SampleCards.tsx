import { Loader } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import type { Sample } from '../../api/contract.gen';
import { iconOf } from './icons';
import classes from './SampleCards.module.css';

/** One card for each sample project; a click makes its folder and opens it. */
export function SampleCards({ samples, busy, onPick }: { samples: readonly Sample[]; busy: string | undefined; onPick: (name: string) => void }) {
  return (
    <div className={classes.cards}>
      {samples.map((s) => (
        <Card key={s.name} sample={s} busy={busy} onPick={onPick} />
      ))}
    </div>
  );
}

function Card({ sample, busy, onPick }: { sample: Sample; busy: string | undefined; onPick: (name: string) => void }) {
  const Icon = iconOf(sample.name);
  return (
    <button type="button" className={classes.card} disabled={busy !== undefined} onClick={() => onPick(sample.name)}>
      <span className={classes.icon}>{busy === `sample:${sample.name}` ? <Loader size={16} /> : <Icon size={17} aria-hidden />}</span>
      <span className={classes.body}>
        <span className={classes.title}>{sample.title}</span>
        <span className={classes.text}>{sample.description}</span>
      </span>
      <ArrowRight size={15} className={classes.arrow} aria-hidden />
    </button>
  );
}
