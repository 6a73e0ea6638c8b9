import type { ClientChunk, ClientEnd, ClientFrame, ClientHead, ClientHop, ClientRequest } from '../../api/contract.gen';
import { SseParser } from '../../api/sse';
import { fromBase64 } from './base64';
import type { BodyFile } from './bodyFile';
import { withoutToken } from './tokens';

/** A message of a WebSocket or a frame of an event stream. */
export interface LiveItem {
  n: number;
  atMs: number;
  /** Whether the page sent it. */
  sent: boolean;
  /** The message; in base64 where it is binary. */
  text: string;
  /** The name and the id of an event, where it has them. */
  event?: string;
  id?: string;
  binary?: boolean;
}

/** One request of this place and what has come back so far. */
export interface Exchange {
  id: string;
  request: ClientRequest;
  /** What was sent as its body, and is not in the request. */
  file?: BodyFile;
  /** Whether a payment token went along. */
  paid?: boolean;
  /** The exchange whose session this one goes on with. */
  earlier?: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Answers that led elsewhere and were followed. */
  hops?: readonly ClientHop[];
  head?: ClientHead;
  chunks: readonly ClientChunk[];
  items: readonly LiveItem[];
  end?: ClientEnd;
  endMs?: number;
  /** Set when the platform did not take the request at all. */
  refused?: string;
  /** Whether a part of it was too large to be kept while the page was loaded anew. */
  cut?: boolean;
}

/** Reads the lines of the answer to POST /api/local/client. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<ClientFrame> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line) yield JSON.parse(line) as ClientFrame;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Puts frames into an exchange. One reader belongs to one exchange, because events are cut anywhere. */
export class FrameReader {
  private readonly sse = new SseParser();

  add(x: Exchange, frames: readonly ClientFrame[]): Exchange {
    const next = { ...x };
    const chunks: ClientChunk[] = [];
    const items: LiveItem[] = [];
    const item = (one: Omit<LiveItem, 'n'>) => items.push({ n: x.items.length + items.length, ...one });
    for (const { atMs, hop, head, chunk, message, end } of frames) {
      if (hop) next.hops = [...(next.hops ?? []), hop];
      if (head) next.head = head;
      if (chunk) {
        chunks.push(chunk);
        if (isEventStream(next) && chunk.text) {
          for (const e of this.sse.push(chunk.text)) item({ atMs, sent: false, text: e.data, event: e.event, ...(e.id === undefined ? {} : { id: e.id }) });
        }
      }
      if (message) item({ atMs, sent: message.sent, ...(message.binary ? { text: message.b64 ?? '', binary: true } : { text: withoutToken(message.text ?? '') }) });
      if (end) Object.assign(next, { end, endMs: atMs });
    }
    if (chunks.length) next.chunks = [...x.chunks, ...chunks];
    if (items.length) next.items = [...x.items, ...items];
    return next;
  }
}

export function headerOf(x: Exchange, name: string): string {
  return x.head?.headers.find((h) => h.name.toLowerCase() === name)?.value ?? '';
}

export function isEventStream(x: Exchange): boolean {
  return /^text\/event-stream\b/i.test(headerOf(x, 'content-type'));
}

/** The id after which a stream that has ended may be gone on with, if its events have ids. It lasts until another one comes. */
export function lastEventId(x: Exchange): string | undefined {
  if (!isEventStream(x) || isRunning(x)) return undefined;
  return (x.items.at(-1)?.id ?? askedAfter(x)) || undefined;
}

/** The id after which a request asked for the events. */
export const askedAfter = (x: Exchange): string | undefined => x.request.headers?.find((h) => h.name.toLowerCase() === lastEventHeader.toLowerCase())?.value;

/** The header by which a client that was cut off says how far it came. */
export const lastEventHeader = 'Last-Event-ID';

export const isRunning = (x: Exchange): boolean => !x.end && x.refused === undefined;

/** The body as a text; undefined when a part of it is none. */
export function bodyText(x: Exchange): string | undefined {
  if (x.chunks.some((c) => c.b64)) return undefined;
  return x.chunks.map((c) => c.text ?? '').join('');
}

/** The body as it came, for a file. */
export function bodyBlob(x: Exchange): Blob {
  const parts = x.chunks.map((c) => (c.b64 ? fromBase64(c.b64) : (c.text ?? '')));
  return new Blob(parts, { type: headerOf(x, 'content-type') });
}
