import type { TraceEntry } from '../../api/contract.gen';
import { isObject } from '../schema/schema';

/** What a host call is about, such as the key of a value or the function that is called. */
export function subjectOf(entry: TraceEntry): string | undefined {
  if (entry.kind !== 'host' || !isObject(entry.args)) return undefined;
  const args = entry.args;
  const parts = [args.binding, args.function ?? args.name ?? args.key ?? args.prefix ?? args.id].filter((v): v is string => typeof v === 'string' && v !== '');
  return parts.length ? parts.join(' ') : undefined;
}
