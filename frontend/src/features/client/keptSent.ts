import type { ClientChunk, HeaderPair } from '../../api/contract.gen';
import { handOn, readTab } from '../../ui/tabStored';
import { namedFile } from './bodyFile';
import { isCredential, withoutFields, withoutForms, withoutFormsIn } from './credentials';
import { isRunning, type Exchange } from './exchange';
import { endedByReload } from './keptTalk';

interface Sent {
  exchanges: readonly Exchange[];
  shown: Readonly<Record<string, string>>;
}

interface Store {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => { exchanges: readonly Exchange[]; shown: Partial<Record<string, string>> };
  bring: (sent: Sent) => void;
}

/** Characters of one answer that are kept, and of all of them: storage of a page has five million. */
export const keptOfOne = 128 * 1024;
export const keptOfAll = 1024 * 1024;

/**
 * Gives the list of what was sent to the page that is loaded next in this tab,
 * without credentials. What is larger than the bounds loses its end, the oldest
 * first; that it was sent and how it ended always stays.
 */
export function keepSent<S extends Store>(store: S, agent: string, storage: Storage = sessionStorage): S {
  const key = `client.sent:${agent}`;
  const kept = readSent(storage, key);
  if (kept) store.bring(kept);
  const keep = () => {
    const { exchanges, shown } = store.snapshot();
    return { exchanges: bounded(exchanges.map(withoutCredentials)), shown };
  };
  handOn(key, { subscribe: (listener) => store.subscribe(listener), mark: () => marks(store), keep }, storage);
  return store;
}

/** Changes when a request is sent, ends, or is looked at. */
function marks(store: Store): string {
  const { exchanges, shown } = store.snapshot();
  return JSON.stringify([exchanges.map((x) => [x.id, isRunning(x)]), shown]);
}

/** What was under way has ended with the page that sent it. */
function readSent(storage: Storage, key: string): Sent | undefined {
  try {
    const { exchanges, shown } = readTab<Sent>(key, storage)!;
    return { exchanges: exchanges.map((x) => (isRunning(x) ? { ...x, end: { bytes: 0, error: endedByReload() } } : x)), shown };
  } catch {
    return undefined;
  }
}

function withoutCredentials(x: Exchange): Exchange {
  const clean = (headers: readonly HeaderPair[]) => headers.map((h) => ({ ...h, value: isCredential(h.name) ? '' : withoutForms(h.value) }));
  const { request, head } = x;
  return {
    ...x,
    ...(x.file ? { file: namedFile(x.file) } : {}),
    request: {
      ...request,
      path: withoutForms(withoutFields(request.path)),
      ...(request.headers ? { headers: clean(request.headers) } : {}),
      ...(request.body ? { body: withoutForms(request.body) } : {}),
    },
    ...(x.hops ? { hops: x.hops.map((hop) => ({ ...hop, path: withoutForms(withoutFields(hop.path)), headers: clean(hop.headers) })) } : {}),
    ...(head ? { head: { ...head, headers: clean(head.headers) } } : {}),
    chunks: joined(x.chunks).map((c) => (c.b64 ? { b64: withoutFormsIn(c.b64) } : { text: withoutForms(c.text ?? '') })),
    items: x.items.map((i) => ({ ...i, text: i.binary ? withoutFormsIn(i.text) : withoutForms(i.text) })),
  };
}

/** Texts that follow each other are one: a body is cut anywhere, also within a credential. */
function joined(chunks: readonly ClientChunk[]): readonly ClientChunk[] {
  const out: ClientChunk[] = [];
  for (const c of chunks) {
    const last = out.at(-1);
    if (last && last.b64 === undefined && c.b64 === undefined) out[out.length - 1] = { text: (last.text ?? '') + (c.text ?? '') };
    else out.push(c);
  }
  return out;
}

function bounded(exchanges: readonly Exchange[]): Exchange[] {
  let room = keptOfAll;
  return exchanges.map((x) => {
    const [kept, size] = cut(x, Math.min(keptOfOne, room));
    room -= size;
    return kept;
  });
}

/** The beginning of a body and the end of a list of messages, as far as there is room. */
function cut(x: Exchange, room: number): [Exchange, size: number] {
  let left = room;
  const fits = (size: number) => {
    const fit = left >= size;
    left = fit ? left - size : 0;
    return fit;
  };
  const request = fits(x.request.body?.length ?? 0) ? x.request : { ...x.request, body: '' };
  const items = x.items
    .toReversed()
    .filter((i) => fits(i.text.length + 60))
    .toReversed();
  const chunks: ClientChunk[] = [];
  let whole = request === x.request && items.length === x.items.length;
  for (const c of x.chunks) {
    const { text, b64 } = c;
    const room = left;
    if (fits((text ?? b64 ?? '').length)) chunks.push(c);
    else whole = false;
    if (left === 0 && text && room > 0 && text.length > room) chunks.push({ text: text.slice(0, room) });
  }
  return [whole ? x : { ...x, request, items, chunks, cut: true }, room - left];
}
