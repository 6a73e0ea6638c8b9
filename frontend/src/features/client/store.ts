import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Client } from '../../api/client';
import type { ClientCaller, ClientFrame, ClientRequest } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { files } from '../../api/routes';
import { t } from '../../i18n/t';
import { toBase64 } from './base64';
import { problemOfFile, withFile, type BodyFile } from './bodyFile';
import { namedCaller, withFields } from './caller';
import { draftOf, firstDraft, kindOf, sameRequest, type Draft, type RequestKind } from './draft';
import { FrameReader, isRunning, readFrames, type Exchange } from './exchange';
import { keepDrafts } from './keptDrafts';
import { keepSent } from './keptSent';
import { typeOf } from './payment';
import { atOnce, takeSlot } from './slots';
import { Watched } from './watched';

/** Requests that are remembered; those under way are never forgotten. */
const remembered = 30;
/** How long frames are gathered before they are shown, in ms. */
const gather = 40;

interface State {
  drafts: Record<RequestKind, Draft>;
  /** What an editor was filled with, to see what a person wrote since. */
  filled: Record<RequestKind, Draft>;
  /** What a person had written where something else was opened. */
  aside: Partial<Record<RequestKind, Draft>>;
  /** Newest first. Credentials of their callers are not in them. */
  exchanges: readonly Exchange[];
  /** The exchange in view: of an editor, or of a tab that sends by itself. */
  shown: Partial<Record<RequestKind | 'uamp', string>>;
  /** As whom a session of UAMP is opened. */
  uampCaller: ClientCaller;
}

/** What the editors hold and what was sent, of one agent. It outlives the screen: a WebSocket stays open while one looks elsewhere. */
export class ClientStore extends Watched<State> {
  private readonly aborts = new Map<string, AbortController>();

  constructor(
    private readonly client: Client,
    agent: string,
  ) {
    const drafts = { http: firstDraft('http', agent), websocket: firstDraft('websocket', agent), sse: firstDraft('sse', agent) };
    super({ drafts, filled: drafts, aside: {}, exchanges: [], shown: {}, uampCaller: { kind: 'owner' } });
  }

  private replace(id: string, change: (x: Exchange) => Exchange): void {
    this.set({ exchanges: this.state.exchanges.map((x) => (x.id === id ? change(x) : x)) });
  }

  setDraft(kind: RequestKind, change: Partial<Draft>): void {
    this.set({ drafts: { ...this.state.drafts, [kind]: { ...this.state.drafts[kind], ...change } } });
  }

  setUampCaller(uampCaller: ClientCaller): void {
    this.set({ uampCaller });
  }

  /** Opens something else in an editor. What a person wrote there and has not sent is put aside. */
  fill(kind: RequestKind, change: Partial<Draft>): void {
    const { drafts, filled, aside, exchanges } = this.state;
    const was = drafts[kind];
    const { file: _, asText: __, withheld: ___, ...texts } = was; // what is opened has a file of its own or none
    const next = { ...texts, ...change };
    const written = !sameRequest(was, filled[kind]) && !sameRequest(was, next) && !exchanges.some((x) => kindOf(x.request) === kind && sameRequest(was, draftOf(x.request, x.file)));
    this.set({ drafts: { ...drafts, [kind]: next }, filled: { ...filled, [kind]: next }, aside: written ? { ...aside, [kind]: was } : aside });
  }

  /** What the editor holds was kept somewhere: nothing of it can be lost. */
  kept(kind: RequestKind): void {
    this.set({ filled: { ...this.state.filled, [kind]: this.state.drafts[kind] } });
  }

  /** Takes back what was put aside; what stands there now is put aside instead. */
  bringBack(kind: RequestKind): void {
    const { drafts, filled, aside } = this.state;
    const back = aside[kind];
    if (!back) return;
    const now = sameRequest(drafts[kind], filled[kind]) ? undefined : drafts[kind];
    this.set({ drafts: { ...drafts, [kind]: back }, aside: without(aside, kind, now) });
  }

  forgetAside(kind: RequestKind): void {
    this.set({ aside: without(this.state.aside, kind) });
  }

  /** Takes over what the page before this one had sent. */
  bring({ exchanges, shown }: Pick<State, 'exchanges' | 'shown'>): void {
    this.set({ exchanges, shown });
  }

  /** Puts a request that was sent back into its editor, with what came of it. */
  reopen(x: Exchange): RequestKind {
    const kind = kindOf(x.request);
    const draft = draftOf(x.request, x.file);
    this.fill(kind, { ...draft, caller: withFields(draft.caller, this.state.drafts[kind].caller) });
    this.set({ shown: { ...this.state.shown, [kind]: x.id } });
    return kind;
  }

  /**
   * Sends a request and follows its answer to the end. Throws when too many are
   * under way. Opening messages go into a WebSocket as soon as it is open. A
   * file is the body.
   */
  start(request: ClientRequest, as: RequestKind | 'uamp' = kindOf(request), opening: readonly string[] = [], file?: BodyFile, earlier?: string): void {
    const under = this.state.exchanges.filter(isRunning);
    if (under.length >= atOnce) throw new Error(t('{atOnce} requests are under way, the most that leave the page its connections: {which}. Choose one under Sent and end it.', { atOnce, which: under.map((x) => x.request.path).join(', ') }));
    const missing = file && problemOfFile(file);
    if (missing) throw new Error(missing);
    const named = { ...request, caller: namedCaller(request.caller) };
    const x: Exchange = { id: request.id, request: named, ...(file ? { file } : {}), ...(earlier ? { earlier } : {}), paid: request.caller.payment !== undefined, at: Date.now(), chunks: [], items: [] };
    const kept = this.state.exchanges.filter((one, i) => i < remembered - 1 || isRunning(one));
    this.set({ exchanges: [x, ...kept], shown: { ...this.state.shown, [as]: x.id } });
    void this.follow(withFile(request, file), opening);
  }

  private async follow(request: ClientRequest, opening: readonly string[]): Promise<void> {
    const reader = new FrameReader();
    let waiting: ClientFrame[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      const frames = waiting;
      waiting = [];
      if (frames.length) this.replace(request.id, (x) => reader.add(x, frames));
    };
    const abort = new AbortController();
    this.aborts.set(request.id, abort);
    try {
      for await (const frame of relayed(this.client, request, abort.signal)) {
        waiting.push(frame);
        if (frame.head?.status === 101) for (const text of opening) await this.say(request.id, text);
        timer ??= setTimeout(show, gather);
      }
      show();
      this.replace(request.id, (x) => (x.end ? x : { ...x, end: { bytes: 0, error: t('The platform ended before the answer did.') } }));
    } catch (error) {
      show();
      const said = isAbort(error) ? t('ended here') : messageOf(error);
      this.replace(request.id, (x) => (x.head ? { ...x, end: { bytes: 0, error: said } } : { ...x, refused: said }));
    } finally {
      this.aborts.delete(request.id);
    }
  }

  /** Ends a request. The platform says how it ended; if it cannot, the page hangs up. */
  async end(id: string): Promise<void> {
    await this.client.call('DELETE /api/local/client/:id', { params: { id } }).catch(() => this.aborts.get(id)?.abort());
  }

  async say(id: string, text: string): Promise<void> {
    await this.client.call('POST /api/local/client/:id/send', { params: { id }, body: { text } });
  }

  /** Sends a binary message into a WebSocket. */
  async sayBytes(id: string, bytes: Uint8Array): Promise<void> {
    await this.client.call('POST /api/local/client/:id/send', { params: { id }, body: { binary: true, b64: toBase64(bytes) } });
  }

  /** Sends an event of UAMP. One that asks for an answer is over when it is there, or when the agent waits for its client. */
  async sayEvent(id: string, text: string): Promise<void> {
    const find = (s: State) => s.exchanges.find((x) => x.id === id);
    const from = find(this.state)?.items.length ?? 0;
    await this.say(id, text);
    if (!asks.test(text)) return;
    await this.until((s) => {
      const x = find(s);
      return !x || !isRunning(x) || x.items.slice(from).some((i) => !i.sent && turnsOver.test(typeOf(i)));
    });
  }
}

const asks = /"type"\s*:\s*"response\.create"/;
const turnsOver = /^(response\.(done|error|cancelled)|tool\.call|payment\.required|session\.error)$/;

function without<T>(of: Partial<Record<RequestKind, T>>, kind: RequestKind, put?: T): Partial<Record<RequestKind, T>> {
  const { [kind]: _, ...others } = of;
  return put === undefined ? others : { ...others, [kind]: put };
}

/** Sends a request through the platform and gives the frames of its answer. It takes one of the browser's connections for as long. */
export async function* relayed(client: Client, request: ClientRequest, signal: AbortSignal): AsyncGenerator<ClientFrame> {
  const leave = await takeSlot();
  try {
    yield* framesOf(client, request, signal);
  } finally {
    leave();
  }
}

async function* framesOf(client: Client, request: ClientRequest, signal: AbortSignal): AsyncGenerator<ClientFrame> {
  const res = await client.send(files.client, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/x-ndjson' }, body: JSON.stringify(request), signal });
  if (res.body) yield* readFrames(res.body);
}

/** Sends a request that does not last through the platform and gives the whole answer as a text. */
export async function fetchRelayed(client: Client, request: ClientRequest, signal: AbortSignal): Promise<{ status: number; text: string; contentType: string }> {
  let status = 0;
  let text = '';
  let contentType = '';
  for await (const { head, chunk, end } of framesOf(client, request, signal)) {
    if (head) {
      status = head.status;
      contentType = head.headers.find((h) => h.name.toLowerCase() === 'content-type')?.value ?? '';
    }
    text += chunk?.text ?? '';
    if (end?.error) throw new Error(end.error);
  }
  return { status, text, contentType };
}

/** A thing of this place that lasts until the page is closed, made when it is first asked for. */
export function useKept<T>(name: string, agent: string, make: () => T): T {
  return keptIn(useQueryClient(), name, agent, make);
}

/** The same for other places, which fill in what this one shows next. */
export function keptIn<T>(cache: QueryClient, name: string, agent: string, make: () => T): T {
  const key = ['client', agent, name] as const;
  const kept = cache.getQueryData<T>(key);
  if (kept !== undefined) return kept;
  cache.setQueryDefaults(['client'], { gcTime: Infinity, staleTime: Infinity });
  const made = make();
  if (made instanceof ClientStore) keepSent(keepDrafts(made, agent), agent);
  cache.setQueryData(key, made);
  return made;
}

export function useStoreState<S>(store: { subscribe: (listener: () => void) => () => void; snapshot: () => S }): S {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
