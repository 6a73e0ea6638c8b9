import { limits, type KVItem, type KVNamespace, type KVWriteItem } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { nearly, readJson, writeJson } from '../../ui/exact';

/** What a namespace is called: a function's own, the agent's, or a visitor's part of either. */
export function namespaceTitle(ns: Pick<KVNamespace, 'function' | 'scope'>): string {
  const [scope, visitor] = ns.scope.split(':visitor:');
  const base = scope === 'agent' ? t('all functions') : ns.function || t('(no name)');
  return visitor ? t('{base} · visitor {visitor}', { base, visitor }) : base;
}

/** A value in one line, cut where it gets long. */
export function preview(value: unknown, most = 160): string {
  const text = value === undefined ? '' : writeJson(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Whole seconds until an item goes, undefined for one that stays. */
export function secondsLeft(item: Pick<KVItem, 'expiresAt'>, now: number): number | undefined {
  return item.expiresAt ? Math.max(0, Math.ceil((Date.parse(item.expiresAt) - now) / 1000)) : undefined;
}

/** Items as lines of JSON, each with what an import reads. */
export function exportLines(items: readonly KVItem[], now: number): string {
  return items.map((it) => `${writeJson(toWrite(it, now))}\n`).join('');
}

function toWrite(it: KVItem, now: number): KVWriteItem {
  const left = secondsLeft(it, now);
  return { key: it.key, value: it.value ?? null, ...(left !== undefined && { ttlSeconds: Math.max(1, left) }) };
}

/**
 * Reads what somebody wants to import: lines of JSON as an export writes them, a
 * list of such items, or an object whose members are the keys.
 */
export function readImport(text: string): { items: KVWriteItem[] } | { problem: string } {
  const trimmed = text.trim();
  if (!trimmed) return { problem: t('There is nothing in it.') };
  let value: unknown;
  try {
    value = nearly(readJson(trimmed));
  } catch (error) {
    const lines = trimmed.split('\n').filter((l) => l.trim());
    if (lines.length < 2) return { problem: t('It is not JSON: {message}', { message: (error as Error).message }) };
    const parsed: unknown[] = [];
    for (const [i, line] of lines.entries()) {
      try {
        parsed.push(nearly(readJson(line)));
      } catch {
        return { problem: t('Line {n} is not JSON.', { n: i + 1 }) };
      }
    }
    value = parsed;
  }
  if (Array.isArray(value)) return readItems(value);
  if (value === null || typeof value !== 'object') return { problem: t('Give an object with the keys, or a list of { "key", "value" }.') };
  // One line of an export looks like an object too.
  if (isItem(value) && Object.keys(value).every((k) => ['key', 'value', 'ttlSeconds'].includes(k))) return readItems([value]);
  return readItems(Object.entries(value).map(([key, v]) => ({ key, value: v })));
}

function isItem(value: unknown): value is KVWriteItem {
  const it = value as Partial<KVWriteItem> | null;
  return typeof it === 'object' && it !== null && typeof it.key === 'string' && it.value !== undefined;
}

/** A hundred years, as the platform has it. */
const longestTtl = 100 * 365 * 24 * 3600;

function readItems(list: unknown[]): { items: KVWriteItem[] } | { problem: string } {
  const items: KVWriteItem[] = [];
  for (const [i, one] of list.entries()) {
    const n = i + 1;
    if (!isItem(one)) return { problem: t('Item {n} has no "key" and "value".', { n }) };
    if (one.key === '') return { problem: t('Item {n} has an empty key.', { n }) };
    const size = new TextEncoder().encode(one.key).length;
    if (size > limits.MaxKVKeyBytes) return { problem: t('The key of item {n} has {size} bytes; {most} are allowed.', { n, size, most: limits.MaxKVKeyBytes }) };
    const ttl = nearly(one.ttlSeconds ?? 0);
    if (typeof ttl !== 'number' || (ttl !== 0 && !(ttl >= 1 && ttl <= longestTtl))) {
      return { problem: t('"ttlSeconds" of item {n} is no number of seconds from 1 to {most}.', { n, most: longestTtl }) };
    }
    items.push({ key: one.key, value: one.value, ...(ttl ? { ttlSeconds: ttl } : {}) });
  }
  return items.length ? { items } : { problem: t('There is nothing in it.') };
}
