import { memo, useState, type MouseEvent } from 'react';
import classes from './Bars.module.css';

export interface Bar {
  /** The height, in any unit. */
  value: number;
  /** How much of the value is bad. */
  bad?: number;
}

interface Props {
  bars: readonly Bar[];
  label: string;
  /** What is said of a bar that the pointer is on. */
  titleOf?: (index: number) => string;
  tone?: 'accent' | 'run';
  height?: number;
}

/** A small plot of bars over time, all of them drawn as two shapes. What it shows is said by its label, too. */
export const Bars = memo(function Bars({ bars, label, titleOf, tone = 'accent', height = 28 }: Props) {
  const [at, setAt] = useState<number>();
  const most = Math.max(...bars.map((b) => b.value), 0) || 1;
  const width = bars.length;
  let good = '';
  let bad = '';
  bars.forEach((b, i) => {
    if (b.value <= 0) return;
    // The smallest bar is still a bar.
    const h = Math.max(6, (b.value / most) * 98);
    const badPart = Math.min(h, ((b.bad ?? 0) / b.value) * h);
    good += bar(i, 100 - h, h - badPart);
    if (badPart > 0) bad += bar(i, 100 - badPart, badPart);
  });
  const point = (event: MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * width);
    setAt(bars[index] && bars[index].value > 0 ? index : undefined);
  };
  return (
    <svg
      className={classes.root}
      data-tone={tone}
      style={{ height }}
      viewBox={`0 0 ${width} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      onMouseMove={titleOf && point}
      onMouseLeave={titleOf && (() => setAt(undefined))}
    >
      {titleOf && at !== undefined && at < width && <title>{titleOf(at)}</title>}
      <line x1={0} x2={width} y1={99.5} y2={99.5} className={classes.base} />
      <path d={good} className={classes.bar} />
      {bad && <path d={bad} className={classes.bad} />}
    </svg>
  );
});

const bar = (i: number, y: number, h: number): string => `M${(i + 0.12).toFixed(2)} ${y.toFixed(2)}h.76v${h.toFixed(2)}h-.76z`;
