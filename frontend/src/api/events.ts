import type { Client } from './client';
import { eventNames, type LiveEvent } from './contract.gen';
import { ApiError } from './errors';
import { readSsePieces, type SseMessage } from './sse';
import type { TabMessage, Tabs } from './tabs';
import { Turns } from './turn';

/** connecting: not yet there; live: events arrive; down: lost, trying again. */
export type StreamState = 'connecting' | 'live' | 'down';

export interface EventStreamOptions {
  /** Waits before the next attempt; replaced in tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
  /** Silence after which a connection counts as lost. The platform sends comments to keep it alive. */
  silenceMs?: number;
  /** The other tabs of this browser; without them each page has a connection of its own. */
  tabs?: Tabs;
  now?: () => number;
}

const named: ReadonlySet<string> = new Set(eventNames);
const firstWaitMs = 300;
const longestWaitMs = 8_000;
/** How often a leader is heard of at least, while its connection is. */
const signOfLifeMs = 10_000;

/**
 * EventStream is the page's one live connection. It reconnects with growing
 * waits and asks for what it missed by Last-Event-ID. Readers are told of every
 * event once; whoever needs more than events looks at the state.
 *
 * A browser has six connections to a host in all of its tabs. So one tab leads:
 * it has the connection and tells the others what arrives. When it goes, the
 * next one in line resumes where it stopped; when it falls silent (a debugger
 * holds it, say), one of those that listen steps in front.
 */
export class EventStream {
  state: StreamState = 'connecting';

  private readonly readers = new Set<(event: LiveEvent) => void>();
  private readonly watchers = new Set<() => void>();
  private readonly wait: NonNullable<EventStreamOptions['wait']>;
  private readonly random: () => number;
  private readonly silenceMs: number;
  private readonly tabs: Tabs | undefined;
  private readonly now: () => number;
  private running: AbortController | undefined;
  private lastId: string | undefined;
  private leads = false;
  /** Whether another tab listens to this one, and whether this one has listened to another. */
  private followed = false;
  private following = false;
  private toldAt = 0;
  private onHeard: () => void = () => undefined;

  constructor(
    private readonly client: Client,
    options: EventStreamOptions = {},
  ) {
    this.wait = options.wait ?? sleep;
    this.random = options.random ?? Math.random;
    this.silenceMs = options.silenceMs ?? 60_000;
    this.tabs = options.tabs;
    this.now = options.now ?? Date.now;
  }

  start(): void {
    if (this.running) return;
    this.running = new AbortController();
    const { signal } = this.running;
    void (this.tabs ? this.share(this.tabs, signal) : this.run(signal));
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

  /** Listens to the tab that leads until it is this one's turn. */
  private async share(tabs: Tabs, stopped: AbortSignal): Promise<void> {
    const deafen = tabs.listen((message) => this.hear(message));
    let silent = false;
    while (!stopped.aborted && this.running?.signal === stopped) {
      tabs.tell({ kind: 'follow' });
      const turn = new AbortController();
      const leave = () => turn.abort();
      stopped.addEventListener('abort', leave);
      let timer: ReturnType<typeof setTimeout> | undefined;
      this.onHeard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          silent = true;
          this.setState('down');
          leave();
        }, signOfLifeMs + (this.following ? this.silenceMs : 0));
      };
      this.onHeard();
      const work = async (lost: AbortSignal) => {
        clearTimeout(timer);
        silent = false;
        this.leads = true;
        this.onHeard = () => undefined;
        tabs.tell({ kind: 'lead' });
        await this.run(either(stopped, lost));
        this.leads = false;
      };
      try {
        await tabs.lead(work, silent ? { stepInFront: true } : { signal: turn.signal });
      } catch {
        // A page that may not know of others is alone.
        await this.run(stopped);
      } finally {
        clearTimeout(timer);
        stopped.removeEventListener('abort', leave);
      }
    }
    deafen();
  }

  private hear(message: TabMessage): void {
    if (message.kind === 'follow') {
      if (!this.leads) return;
      this.followed = true;
      this.tellState();
      return;
    }
    if (this.leads) return;
    this.following = true;
    this.onHeard();
    switch (message.kind) {
      case 'lead':
        this.tabs?.tell({ kind: 'follow' });
        return;
      case 'state':
        this.lastId ??= message.lastId;
        return this.setState(message.state);
      case 'events':
        this.deliver(message.messages);
        this.setState('live');
    }
  }

  private tell(message: TabMessage): void {
    if (!this.leads || !this.followed) return;
    this.toldAt = this.now();
    this.tabs?.tell(message);
  }

  private tellState(): void {
    this.tell({ kind: 'state', state: this.state, ...(this.lastId !== undefined && { lastId: this.lastId }) });
  }

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
      if (this.now() - this.toldAt > signOfLifeMs) this.tellState();
    };
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream' };
      if (this.lastId !== undefined) headers['Last-Event-ID'] = this.lastId;
      alive();
      const res = await this.client.send('/api/local/events', { headers, signal: cut.signal });
      if (!res.body) return;
      onOpen();
      this.setState('live');
      // What came between the last leader's connection and this one, nobody knows.
      if (this.following && this.lastId === undefined) this.pass([{ event: 'stream.gap', data: '{"reason":"expired"}' }]);
      const turns = new Turns();
      for await (const messages of readSsePieces(res.body, { onActivity: alive })) {
        this.pass(messages);
        if (turns.over) await turns.next();
      }
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
    }
  }

  /** Hands what arrived to this page and to the tabs that listen. */
  private pass(messages: SseMessage[]): void {
    if (messages.length === 0) return;
    this.tell({ kind: 'events', messages });
    this.deliver(messages);
  }

  private deliver(messages: readonly SseMessage[]): void {
    for (const message of messages) {
      // A tab that took over may be told again what the one before it still passed on.
      // A gap counts anew, because behind it ids may be smaller.
      const known = message.event !== 'stream.gap' && this.lastId !== undefined && Number(message.id) <= Number(this.lastId);
      if (known) continue;
      if (message.id !== undefined) this.lastId = message.id;
      const event = parseEvent(message);
      if (event) for (const reader of this.readers) reader(event);
    }
  }

  private setState(state: StreamState): void {
    const same = this.state === state;
    this.state = state;
    if (!same || state === 'down') this.tellState();
    if (same) return;
    for (const watcher of this.watchers) watcher();
  }
}

/** Reads one message; nothing for events this page does not know. */
export function parseEvent(message: SseMessage): LiveEvent | undefined {
  if (!named.has(message.event)) return undefined;
  try {
    return { id: Number(message.id ?? 0), event: message.event, data: JSON.parse(message.data) } as LiveEvent;
  } catch {
    return undefined;
  }
}

function either(...signals: AbortSignal[]): AbortSignal {
  const both = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) both.abort();
    signal.addEventListener('abort', () => both.abort(), { once: true });
  }
  return both.signal;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end); // a platform that is down is tried for days
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
