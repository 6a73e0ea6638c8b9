import { limits, type InvocationDetail, type TraceEntry } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';

/** One quota of a run: what it used, over time, and how much there was. */
export interface Quota {
  name: string;
  used: number;
  most: number;
  unit: 'count' | 'bytes' | 'ms';
  /** Where the trace says when it was used: time in microseconds and the sum so far. */
  steps: { at: number; used: number }[];
}

function stepsOf(trace: readonly TraceEntry[], amount: (e: TraceEntry) => number): Quota['steps'] {
  let used = 0;
  return [...trace]
    .map((e) => ({ at: e.startUs + e.durationUs, n: amount(e) }))
    .filter((s) => s.n > 0)
    .sort((a, b) => a.at - b.at)
    .map((s) => ({ at: s.at, used: (used += s.n) }));
}

const putNames = ['kv.put', 'kv.putIfAbsent'];
const writeNames = ['content.write', 'content.put', 'folders.write'];

/** Bytes that a put is charged: its key and its value as JSON. */
function putBytes(e: TraceEntry): number {
  if (e.kind !== 'host' || e.error || !putNames.includes(e.name) || !isObject(e.args)) return 0;
  const size = (v: unknown) => new TextEncoder().encode(typeof v === 'string' ? v : (JSON.stringify(v) ?? '')).length;
  return size(e.args.key) + new TextEncoder().encode(JSON.stringify(e.args.value) ?? '').length;
}

/** The quotas of a run. The sums are those the platform counted; the steps are read from the trace. */
export function quotasOf(run: InvocationDetail): Quota[] {
  const trace = run.trace ?? [];
  const own = isObject(run.manifest) && isObject(run.manifest.limits) ? run.manifest.limits : {};
  const limit = (key: string, fallback: number, most = Infinity) => Math.min(typeof own[key] === 'number' && own[key] > 0 ? own[key] : fallback, most);
  const all: Quota[] = [
    { name: t('Host calls'), used: run.host_calls, most: limits.MaxHostCalls, unit: 'count', steps: stepsOf(trace, (e) => (e.kind === 'host' ? 1 : 0)) },
    { name: t('KV bytes written'), used: run.kv_put_bytes, most: limits.MaxKVPutBytes, unit: 'bytes', steps: stepsOf(trace, putBytes) },
    { name: t('Content writes'), used: run.content_writes, most: limits.MaxContentWrites, unit: 'count', steps: stepsOf(trace, (e) => (e.kind === 'host' && !e.error && writeNames.includes(e.name) ? 1 : 0)) },
    { name: t('Received'), used: run.ingress_bytes, most: limit('ingressBytes', limits.DefaultIngressBytes), unit: 'bytes', steps: stepsOf(trace, (e) => (e.kind === 'fetch' ? (e.inBytes ?? 0) : 0)) },
    { name: t('Sent'), used: run.egress_bytes, most: limit('egressBytes', limits.DefaultEgressBytes), unit: 'bytes', steps: stepsOf(trace, (e) => (e.kind === 'fetch' ? (e.outBytes ?? 0) : 0)) },
    { name: t('Time'), used: run.duration_ms, most: limit('wallMs', limits.DefaultWallMs, limits.MaxWallMs), unit: 'ms', steps: [] },
    { name: 'CPU', used: run.cpu_ms, most: limit('cpuMs', limits.DefaultCPUMs), unit: 'ms', steps: [] },
  ];
  return all;
}

/** The points of a line that falls from all that there was to what was left, in a box of 100 by 100. */
export function burnDown(quota: Quota, endUs: number): string {
  const left = (used: number) => Math.min(100, (Math.max(0, used) / quota.most) * 100);
  const x = (at: number) => (endUs > 0 ? Math.min(100, Math.max(0, (at / endUs) * 100)) : 0);
  const points = ['0,0'];
  let before = 0;
  for (const s of quota.steps) {
    points.push(`${x(s.at)},${left(before)}`, `${x(s.at)},${left(s.used)}`);
    before = s.used;
  }
  points.push(`100,${left(before)}`);
  return points.join(' ');
}
