/** One message of a text/event-stream. */
export interface SseMessage {
  id?: string;
  event: string;
  data: string;
}

/** Told about every piece that arrives, also those that are only keep-alives. */
export interface SseOptions {
  onActivity?: () => void;
}

/**
 * Reads a text/event-stream, giving the messages of each piece together. We read it by fetch and not by EventSource because
 * EventSource cannot send a bearer. Pieces may be cut anywhere, also inside a
 * character or between CR and LF; a message that was cut off at the end of the
 * stream is dropped, as the standard says.
 */
export async function* readSsePieces(body: ReadableStream<Uint8Array>, options: SseOptions = {}): AsyncGenerator<SseMessage[]> {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      options.onActivity?.();
      yield parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads a text/event-stream message by message. */
export async function* readSse(body: ReadableStream<Uint8Array>, options: SseOptions = {}): AsyncGenerator<SseMessage> {
  for await (const messages of readSsePieces(body, options)) yield* messages;
}

/** SseParser turns pieces of text into messages. */
export class SseParser {
  private rest = '';
  private id: string | undefined;
  private event = '';
  private data: string[] = [];
  private first = true;

  push(piece: string): SseMessage[] {
    let text = this.rest + piece;
    if (this.first && text) {
      this.first = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    const out: SseMessage[] = [];
    let from = 0;
    for (;;) {
      const end = lineEnd(text, from);
      if (!end) break;
      const message = this.line(text.slice(from, end.at));
      if (message) out.push(message);
      from = end.next;
    }
    this.rest = text.slice(from);
    return out;
  }

  private line(line: string): SseMessage | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined; // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    return undefined;
  }

  private dispatch(): SseMessage | undefined {
    const { data, event, id } = this;
    this.data = [];
    this.event = '';
    if (data.length === 0) return undefined;
    return { ...(id === undefined ? {} : { id }), event: event || 'message', data: data.join('\n') };
  }
}

/** The next end of line; a CR at the very end waits for a possible LF. */
function lineEnd(text: string, from: number): { at: number; next: number } | undefined {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10) return { at: i, next: i + 1 };
    if (c === 13) {
      if (i + 1 === text.length) return undefined;
      return { at: i, next: text.charCodeAt(i + 1) === 10 ? i + 2 : i + 1 };
    }
  }
  return undefined;
}
