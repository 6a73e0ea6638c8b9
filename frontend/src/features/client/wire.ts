import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';

/** One message on the wire, in the order in which it was sent or came. */
export interface WireEvent {
  n: number;
  /** Milliseconds since the epoch. */
  at: number;
  sent: boolean;
  type: string;
  value: unknown;
}

/** Events that are kept of one conversation; the oldest go first. */
export const keptEvents = 5000;

/** Adds an event to a conversation's. */
export function logged(events: readonly WireEvent[], sent: boolean, type: string, value: unknown, at = Date.now()): readonly WireEvent[] {
  const n = (events.at(-1)?.n ?? -1) + 1;
  return [...events.slice(Math.max(0, events.length + 1 - keptEvents)), { n, at, sent, type, value }];
}

/** Events as JSON lines: time, direction, type, and the event as it is. */
export function asLines(events: readonly WireEvent[]): string {
  return events.map((e) => JSON.stringify({ time: new Date(e.at).toISOString(), direction: e.sent ? 'sent' : 'received', type: e.type, event: e.value }) + '\n').join('');
}

/** Whether all words of a filter are in an event: its type, its direction or its JSON. */
export function matches(e: WireEvent, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = `${e.type} ${e.sent ? 'sent' : 'received'} ${JSON.stringify(e.value)}`.toLowerCase();
  return words.every((w) => text.includes(w));
}

/** The event on one line, without what its row says already. */
export function brief(e: WireEvent): string {
  const { value } = e;
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const { type: _, event_id: __, timestamp: ___, jsonrpc: ____, ...rest } = value;
  return JSON.stringify(rest).slice(0, 400);
}

/** What a message of JSON-RPC is called in a list. */
export function rpcType(value: unknown): string {
  if (!isObject(value)) return 'message';
  if (typeof value.method === 'string') return value.method;
  if (isObject(value.error)) return t('error {code}', { code: String(value.error.code) });
  const kind = isObject(value.result) ? Object.keys(value.result)[0] : undefined;
  return kind ? t('result {kind}', { kind }) : t('result');
}

/** What a chunk of chat completions is called in a list. */
export function chunkType(value: unknown): string {
  if (value === '[DONE]') return 'end';
  if (!isObject(value)) return 'chunk';
  if (value.error !== undefined) return 'error';
  if (isObject(value.tool_progress)) return t('tool {kind}', { kind: String(value.tool_progress.kind) });
  return isObject(value.usage) ? 'usage' : 'chunk';
}
