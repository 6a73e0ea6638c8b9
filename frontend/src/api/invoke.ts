import { t } from '../i18n/t';
import type { Client } from './client';
import type { EmittedEvent, InvokeResult } from './contract.gen';
import { ApiError, errorFrom } from './errors';
import { readJson } from '../ui/exact';
import { readSse } from './sse';

/** The header in which a run by hand says at which moment its clock begins. */
export const clockHeader = 'Benchtop-Clock';

/** Who makes a call, as the header Benchtop-Caller says it. */
export type Caller = 'owner' | 'portal' | 'anonymous';

export interface InvokeOptions {
  agent: string;
  name: string;
  /** The JSON text of the body. */
  body: string;
  idempotencyKey?: string;
  /** Who calls, when it is not the owner. */
  caller?: Caller;
  /** The moment at which the function's clock begins, when it is not the real time. */
  clock?: string;
  signal?: AbortSignal;
  /** Called for every event the function emits, as it happens. */
  onEmit?: (event: EmittedEvent) => void;
}

export interface InvokeAnswer {
  result: InvokeResult;
  /** The answer of an earlier invocation with the same key. */
  replayed: boolean;
}

/** The path of a manual invoke. */
export function invokePath(agent: string, name: string): string {
  return `/api/agents/${encodeURIComponent(agent)}/functions/${encodeURIComponent(name)}/invoke`;
}

/**
 * Runs a function and follows it: emitted events arrive while it runs, the
 * answer at its end. Throws ApiError when nothing ran.
 */
export async function invoke(client: Client, options: InvokeOptions): Promise<InvokeAnswer> {
  const headers: Record<string, string> = {
    Accept: 'text/event-stream',
    'Content-Type': 'application/json',
  };
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey;
  if (options.caller && options.caller !== 'owner') headers['Benchtop-Caller'] = options.caller;
  if (options.clock) headers[clockHeader] = options.clock;
  const res = await client.send(invokePath(options.agent, options.name), {
    method: 'POST',
    headers,
    body: options.body,
    signal: options.signal,
  });
  const replayed = res.headers.get('Idempotent-Replayed') === 'true';
  if (!res.headers.get('Content-Type')?.startsWith('text/event-stream') || !res.body) {
    return { result: parse(await res.text()) as InvokeResult, replayed };
  }
  // The times of events are those of the function's clock, as the history has them.
  const begun = Date.now();
  const clock = options.clock ? Date.parse(options.clock.replace(/\[.*$/, '')) : begun;
  const now = () => clock + Date.now() - begun;
  // A function may emit an event called "result" as well: ours is the last one.
  let held: string | undefined;
  for await (const message of readSse(res.body)) {
    if (held !== undefined) options.onEmit?.({ event: 'result', payload: parse(held), ts: now() });
    held = undefined;
    if (message.event === 'result') held = message.data;
    else options.onEmit?.({ event: message.event, payload: parse(message.data), ts: now() });
  }
  if (held === undefined) {
    throw new ApiError(res.status, 'EXECUTOR_INTERNAL', t('The stream ended before the result: the run may still be in the history.'));
  }
  return read(held, res, replayed);
}

async function read(text: string, res: Response, replayed: boolean): Promise<InvokeAnswer> {
  const value = parse(text) as InvokeResult | { error: unknown };
  if (value && typeof value === 'object' && 'error' in value) {
    throw await errorFrom(new Response(text, { status: res.ok ? 500 : res.status }));
  }
  return { result: value as InvokeResult, replayed };
}

function parse(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}
