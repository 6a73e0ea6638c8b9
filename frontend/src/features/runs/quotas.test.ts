import { describe, expect, it } from 'vitest';
import type { InvocationDetail, TraceEntry } from '../../api/contract.gen';
import { burnDown, quotasOf } from './quotas';

const host = (name: string, at: number, args: unknown = {}): TraceEntry => ({ kind: 'host', name, startUs: at, durationUs: 10, args });
const run = (trace: TraceEntry[], part: Partial<InvocationDetail> = {}) =>
  ({ trace, host_calls: trace.length, kv_put_bytes: 0, content_writes: 0, ingress_bytes: 0, egress_bytes: 0, duration_ms: 5, cpu_ms: 1, ...part }) as InvocationDetail;
const quota = (r: InvocationDetail, name: string) => quotasOf(r).find((q) => q.name === name)!;

describe('quotasOf', () => {
  it('counts host calls in the order they ended', () => {
    expect(quota(run([host('kv.get', 50), host('kv.get', 10)]), 'Host calls').steps).toEqual([
      { at: 20, used: 1 },
      { at: 60, used: 2 },
    ]);
  });
  it('charges puts their key and value in UTF-8', () => expect(quota(run([host('kv.put', 0, { key: 'é', value: 'ab' })]), 'KV bytes written').steps).toEqual([{ at: 10, used: 6 }]));
  it('charges nothing for what was refused', () =>
    expect(quota(run([{ ...host('kv.put', 0, { key: 'a', value: 1 }), error: { code: 'PERMISSION_DENIED', message: '' } }]), 'KV bytes written').steps).toEqual([]));
  it('takes the limits of the manifest, up to the most there is', () => {
    const limits = { wallMs: 99_999, ingressBytes: 10 };
    expect(quota(run([], { manifest: { limits } }), 'Time').most).toBe(30_000);
    expect(quota(run([], { manifest: { limits } }), 'Received').most).toBe(10);
    expect(quota(run([]), 'Time').most).toBe(10_000);
  });
});

it('burnDown falls by steps and never below nothing', () => {
  const q = { name: 'x', used: 3, most: 2, unit: 'count' as const, steps: [{ at: 50, used: 1 }, { at: 100, used: 3 }] };
  expect(burnDown(q, 100)).toBe('0,0 50,0 50,50 100,50 100,100 100,100');
});
