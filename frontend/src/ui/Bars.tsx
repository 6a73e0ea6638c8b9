import classes from './Bars.module.css';

export interface Bar {
  /** The height, in any unit. */
  value: number;
  /** How much of the value is bad. */
  bad?: number;
  title?: string;
}

/** A small plot of bars over time. What it shows is said by its label, too. */
export function Bars({ bars, label, tone = 'accent', height = 28 }: { bars: readonly Bar[]; label: string; tone?: 'accent' | 'run'; height?: number }) {
  const most = Math.max(...bars.map((b) => b.value), 0) || 1;
  const width = bars.length;
  return (
    <svg className={classes.root} data-tone={tone} style={{ height }} viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
      <line x1={0} x2={width} y1={99.5} y2={99.5} className={classes.base} />
      {bars.map((b, i) => {
        if (b.value <= 0) return null;
        // The smallest bar is still a bar.
        const h = Math.max(6, (b.value / most) * 98);
        const bad = Math.min(h, ((b.bad ?? 0) / b.value) * h);
        return (
          <g key={i}>
            {b.title && <title>{b.title}</title>}
            <rect x={i + 0.12} width={0.76} y={100 - h} height={h - bad} className={classes.bar} />
            {bad > 0 && <rect x={i + 0.12} width={0.76} y={100 - bad} height={bad} className={classes.bad} />}
          </g>
        );
      })}
    </svg>
  );
}
