import type { TraceEntry } from '../../api/contract.gen';
import { duration } from '../format';

/** A stretch of time in microseconds. */
export interface Span {
  from: number;
  to: number;
}

/** The narrowest stretch a reader can zoom to, in microseconds. */
const narrowest = 20;

/** The stretch that holds a run: from its begin to its end, or that of its last entry. */
export function spanOf(trace: readonly TraceEntry[], durationMs: number): Span {
  const last = trace.reduce((most, e) => Math.max(most, e.startUs + e.durationUs), 0);
  return { from: 0, to: Math.max(durationMs * 1000, last, narrowest) };
}

/** Zooms by a factor around a point of the stretch (0 to 1), and stays inside the whole. */
export function zoomed(view: Span, whole: Span, factor: number, around = 0.5): Span {
  const width = view.to - view.from;
  const next = Math.min(whole.to - whole.from, Math.max(narrowest, width * factor));
  return moved({ from: view.from + (width - next) * around, to: view.from + (width - next) * around + next }, whole, 0);
}

/** Moves a stretch by a share of its width, and stays inside the whole. */
export function moved(view: Span, whole: Span, share: number): Span {
  const width = view.to - view.from;
  const from = Math.max(whole.from, Math.min(whole.to - width, view.from + width * share));
  return { from, to: from + width };
}

/** The stretch around a call that shows it with a little of what lies before and behind. */
export function around(startUs: number, durationUs: number, whole: Span): Span {
  return zoomedAt(startUs + durationUs / 2, Math.max(durationUs * 1.5, narrowest), whole);
}

/** A stretch of a width with a point in its middle, as far as the whole goes. */
export function zoomedAt(middle: number, width: number, whole: Span): Span {
  const next = Math.min(whole.to - whole.from, Math.max(narrowest, width));
  return moved({ from: middle - next / 2, to: middle + next / 2 }, whole, 0);
}

/** Where an entry lies in a stretch, in percent; undefined when it is outside. */
export function placed(startUs: number, durationUs: number, view: Span): { left: number; width: number } | undefined {
  const end = startUs + durationUs;
  if (end < view.from || startUs > view.to) return undefined;
  const per = 100 / (view.to - view.from);
  const left = (Math.max(startUs, view.from) - view.from) * per;
  return { left, width: (Math.min(end, view.to) - Math.max(startUs, view.from)) * per };
}

/** A time on the axis, as exact as the steps of it are far apart. */
export function tickText(at: number, step: number, view: Span): string {
  if (at >= 60e6 && step >= 1e6) return duration(at / 1000);
  const [unit, size] = view.to >= 1e6 ? (['s', 1e6] as const) : (['ms', 1e3] as const);
  return `${(at / size).toFixed(Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9)))} ${unit}`;
}

/** Round times of a stretch to write on its axis, five or so. */
export function ticks(view: Span, about = 5): number[] {
  const rough = (view.to - view.from) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const out: number[] = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) out.push(at);
  return out;
}
