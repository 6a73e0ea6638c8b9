import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import type { LiveItem } from './exchange';

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

/** The messages of a WebSocket of UAMP as events. */
export function asEvents(items: readonly LiveItem[], start: number): WireEvent[] {
  return items.map((i) => {
    const value = i.binary ? i.text : parsed(i.text);
    return { n: i.n, at: start + i.atMs, sent: i.sent, type: isObject(value) && typeof value.type === 'string' ? value.type : 'message', value };
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Whether all words of a filter are in an event: its type, its direction or its JSON. */
export function matches(e: WireEvent, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = `${e.type} ${e.sent ? 'sent' : 'received'} ${JSON.stringify(e.value)}`.toLowerCase();
  return words.every((w) => text.includes(w));
}

/** The event on one line: what it says, without what its row says already. */
export function brief(e: WireEvent): string {
  const { value } = e;
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const said = gist(value);
  if (said !== undefined) return said.slice(0, 400);
  const { type: _, event_id: __, timestamp: ___, jsonrpc: ____, ...rest } = value;
  return JSON.stringify(rest).slice(0, 400);
}

/** What matters of the events that come most often; undefined for the others. */
function gist(value: Record<string, unknown>): string | undefined {
  const { delta, choices, tool_progress: progress, result, response, params } = value;
  if (isObject(delta)) {
    if (typeof delta.text === 'string') return JSON.stringify(delta.text);
    if (isObject(delta.tool_call)) return `${String(delta.tool_call.name)} ${String(delta.tool_call.arguments ?? '')}`;
    if (isObject(delta.tool_result)) return String(delta.tool_result.result);
  }
  if (isObject(response) && Array.isArray(response.output)) return partsOf({ parts: response.output.filter((o) => isObject(o) && typeof o.text === 'string') });
  if (isObject(progress)) return `${String(progress.tool)} ${JSON.stringify(progress.payload) ?? ''}`;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isObject(choice) && isObject(choice.delta) && choice.delta.content) return JSON.stringify(choice.delta.content);
  if (isObject(result)) return gistOfResult(result);
  if (isObject(params) && isObject(params.message)) return partsOf(params.message);
  return undefined;
}

/** What an answer of A2A brings: words, or a state. */
function gistOfResult({ artifactUpdate, statusUpdate, task, message }: Record<string, unknown>): string | undefined {
  if (isObject(artifactUpdate)) return partsOf(artifactUpdate.artifact);
  if (isObject(message)) return partsOf(message);
  const of = isObject(statusUpdate) ? statusUpdate : task;
  if (!isObject(of) || !isObject(of.status)) return undefined;
  const words = Array.isArray(of.artifacts) ? of.artifacts.map((a) => partsOf(a)).filter(Boolean) : [];
  return [String(of.status.state), partsOf(of.status.message), ...words].filter(Boolean).join(' ');
}

function partsOf(of: unknown): string | undefined {
  const parts: unknown[] = isObject(of) && Array.isArray(of.parts) ? of.parts : [];
  const texts = parts.map((p) => (isObject(p) && typeof p.text === 'string' ? p.text : JSON.stringify(p)));
  return texts.length ? JSON.stringify(texts.join('')) : undefined;
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
