/** The smallest value that a share (0 to 1) of them does not exceed; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const ms = (n: number) => `${n.toFixed(n < 10 ? 1 : 0)} ms`;
export const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
export const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;

/** Prints a line: what was measured, the figure, and what it should be at most. */
export function line(what: string, figure: string, aim = ''): void {
  console.log(`  ${what.padEnd(46)} ${figure.padStart(12)}${aim && `   aim ${aim}`}`);
}

/** A figure of several attempts: the least and the middle one. */
export function attempts(what: string, values: readonly number[], aim: string): void {
  line(what, ms(Math.min(...values)), `${aim}; median of ${values.length}: ${ms(quantile(values, 0.5))}`);
}
