import type { TraceEntry } from '../../../api/contract.gen';
import { bytes, duration } from '../../../ui/format';
import { isObject } from '../../../ui/schema/schema';

/** What the last run did in a line, to be written behind it. */
export interface Hint {
  line: number;
  text: string;
  failed: boolean;
}

const longest = 60;

/** The values of a run, by the lines that made its calls. */
export function hintsOf(trace: readonly TraceEntry[]): Hint[] {
  const byLine = new Map<number, TraceEntry[]>();
  for (const e of trace) if (e.line) byLine.set(e.line, [...(byLine.get(e.line) ?? []), e]);
  return [...byLine]
    .map(([line, list]) => {
      const last = list.at(-1)!;
      const took = duration(list.reduce((sum, e) => sum + e.durationUs, 0) / 1000);
      const failed = list.find((e) => e.error);
      const times = list.length > 1 ? ` ×${list.length}` : '';
      const said = failed?.error ? `✕ ${failed.error.code}` : last.result === undefined ? '→ undefined' : `→ ${answered(last) ?? short(last.result)}`;
      return { line, text: `${said}${times} · ${took}`, failed: failed !== undefined };
    })
    .sort((a, b) => a.line - b.line);
}

/** What a fetch brought, in short: headers and body are in the run's details. */
function answered({ kind, result }: TraceEntry): string | undefined {
  return kind === 'fetch' && isObject(result) && typeof result.status === 'number' ? `${result.status}, ${bytes(Number(result.bytes) || 0)}` : undefined;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
