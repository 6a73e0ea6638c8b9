import type { Client } from './client';
import { eventNames, type LiveEvent } from './contract.gen';
import { ApiError } from './errors';
import { readSse, type SseMessage } from './sse';

/** connecting: not yet there; live: events arrive; down: lost, trying again. */
export type StreamState = 'connecting' | 'live' | 'down';

export interface EventStreamOptions {
  /** Waits before the next attempt; replaced in tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
  /** Silence after which a connection counts as lost. The platform sends comments to keep it alive. */
  silenceMs?: number;
}

const firstWaitMs = 300;
const longestWaitMs = 8_000;

/**
 * EventStream is the page's one live connection. It reconnects with growing
 * waits and asks for what it missed by Last-Event-ID. Readers are told of every
 * event once; whoever needs more than events looks at the state.
 */
export class EventStream {
  state: StreamState = 'connecting';

  private readonly readers = new Set<(event: LiveEvent) => void>();
  private readonly watchers = new Set<() => void>();
  private readonly wait: NonNullable<EventStreamOptions['wait']>;
  private readonly random: () => number;
  private readonly silenceMs: number;
  private running: AbortController | undefined;
  private lastId: string | undefined;

  constructor(
    private readonly client: Client,
    options: EventStreamOptions = {},
  ) {
    this.wait = options.wait ?? sleep;
    this.random = options.random ?? Math.random;
    this.silenceMs = options.silenceMs ?? 60_000;
  }

  start(): void {
    if (this.running) return;
    this.running = new AbortController();
    void this.run(this.running.signal);
  }

  stop(): void {
    this.running?.abort();
    this.running = undefined;
  }

  /** Adds a reader of events; the answer removes it. */
  subscribe = (reader: (event: LiveEvent) => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };

  /** Adds a watcher of the state; the answer removes it. */
  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  private async run(stopped: AbortSignal): Promise<void> {
    for (let attempt = 0; !stopped.aborted; attempt++) {
      try {
        await this.connect(stopped, () => (attempt = 0));
      } catch (error) {
        if (stopped.aborted) return;
        // Without a session there is nothing to wait for: the page logs in first.
        if (error instanceof ApiError && error.status === 401) return this.fail();
      }
      if (stopped.aborted) return;
      this.setState('down');
      const most = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
      await this.wait(most * (0.5 + this.random() / 2), stopped).catch(() => undefined);
    }
  }

  private fail(): void {
    this.setState('down');
    this.running = undefined;
  }

  private async connect(stopped: AbortSignal, onOpen: () => void): Promise<void> {
    const cut = new AbortController();
    const stop = () => cut.abort();
    stopped.addEventListener('abort', stop);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, this.silenceMs);
    };
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream' };
      if (this.lastId !== undefined) headers['Last-Event-ID'] = this.lastId;
      alive();
      const res = await this.client.send('/api/local/events', { headers, signal: cut.signal });
      if (!res.body) return;
      onOpen();
      this.setState('live');
      for await (const message of readSse(res.body, { onActivity: alive })) this.deliver(message);
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
    }
  }

  private deliver(message: SseMessage): void {
    if (message.id !== undefined) this.lastId = message.id;
    const event = parseEvent(message);
    if (event) for (const reader of this.readers) reader(event);
  }

  private setState(state: StreamState): void {
    if (this.state === state) return;
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}

/** Reads one message; nothing for events this page does not know. */
export function parseEvent(message: SseMessage): LiveEvent | undefined {
  const name = eventNames.find((n) => n === message.event);
  if (!name) return undefined;
  try {
    return { id: Number(message.id ?? 0), event: name, data: JSON.parse(message.data) } as LiveEvent;
  } catch {
    return undefined;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
