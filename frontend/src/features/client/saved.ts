import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Agent, ClientCall, ClientCallContent, ClientCaller, HeaderPair, SavedCaller } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { isCredential } from './credentials';
import { fileOf, readHeaders, type Draft, type RequestKind } from './draft';

export type Tab = RequestKind | 'chat' | 'a2a' | 'uamp';

const tabNames: Record<Tab, string> = { http: 'HTTP', websocket: 'WS', sse: 'SSE', chat: t('Chat'), a2a: 'A2A', uamp: 'UAMP' };

/** The verb of A2A that a saved call names where it streams. */
export const streaming = 'SendStreamingMessage';

/** A saved call that a tab was filled from. */
export interface Opened {
  name: string;
  /** Of the file as it was then. */
  sha256: string;
  call: ClientCallContent;
}

type State = Partial<Record<Tab, Opened>>;

/** The saved calls that the tabs of one agent were filled from. */
export class OpenedStore {
  private state: State = {};
  private readonly listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): State => this.state;

  private set(tab: Tab, opened: Opened | undefined): void {
    const { [tab]: _was, ...others } = this.state;
    this.state = opened ? { ...others, [tab]: opened } : others;
    for (const listener of this.listeners) listener();
  }

  open(tab: Tab, name: string, sha256: string, call: ClientCallContent): void {
    this.set(tab, { name, sha256, call });
  }

  renamed(from: string, to: string): void {
    for (const [tab, opened] of Object.entries(this.state) as [Tab, Opened][]) if (opened.name === from) this.set(tab, { ...opened, name: to });
  }

  /** The tab holds something else now. */
  forget(tab: Tab): void {
    if (this.state[tab]) this.set(tab, undefined);
  }
}

/** What the tabs need to save and to open calls. */
export interface Saved {
  agent: Agent;
  opened: OpenedStore;
  /** Opens a saved call in its tab. */
  open: (call: ClientCall) => void;
}

const Context = createContext<Saved | undefined>(undefined);
export const SavedProvider = Context.Provider;

export function useSaved(): Saved {
  const saved = useContext(Context);
  if (!saved) throw new Error('useSaved needs a SavedProvider above it');
  return saved;
}

/** The saved call that a tab was filled from, if it was. */
export function useOpened(tab: Tab): Opened | undefined {
  const { opened } = useSaved();
  return useSyncExternalStore(opened.subscribe, opened.snapshot)[tab];
}

const own = /^\/(?=[^/])((?:api\/agents\/|agents\/)?)/;

/** A path as it is saved: the agent's own addresses serve under its name wherever the project is opened. */
export function portable(path: string, agent: string): string {
  const prefix = own.exec(path)?.[0] ?? '';
  const rest = path.slice(prefix.length);
  return prefix && (rest === agent || rest.startsWith(`${agent}/`) || rest.startsWith(`${agent}?`)) ? `${prefix}{agent}${rest.slice(agent.length)}` : path;
}

/** The path that portable made, for this agent. */
export function unportable(path: string, agent: string): string {
  const prefix = own.exec(path)?.[0] ?? '';
  return prefix && path.startsWith('{agent}', prefix.length) ? prefix + agent + path.slice(prefix.length + '{agent}'.length) : path;
}

/** The names of the headers whose values will not be saved. */
export function withheldHeaders(headers: readonly HeaderPair[] | undefined): string[] {
  return (headers ?? []).filter((h) => h.value && isCredential(h.name)).map((h) => h.name);
}

export const savedCaller = (c: ClientCaller): SavedCaller => (c.kind === 'visitor' && c.id ? { kind: c.kind, id: c.id } : { kind: c.kind });

/** As whom an opened call is sent. A token has to be pasted anew. */
export const callerOf = (call: ClientCallContent | undefined): ClientCaller => (call ? savedCaller(call.caller) : { kind: 'owner' });

/** The call of an editor. Header lines that are none are an error in words. */
export function callOf(tab: RequestKind, draft: Draft, agent: string, messages: readonly string[]): ClientCallContent {
  const read = readHeaders(draft.headers);
  if ('problem' in read) throw new Error(read.problem);
  const file = tab !== 'websocket' ? fileOf(draft) : undefined;
  return {
    tab,
    method: tab === 'websocket' ? 'GET' : draft.method,
    path: portable(draft.path, agent),
    headers: read.headers,
    body: file ? '' : draft.body,
    ...(file?.name ? { bodyFile: file.name } : {}),
    ...(draft.noFollow ? { noFollow: true } : {}),
    caller: savedCaller(draft.caller),
    messages: tab === 'websocket' ? [...messages] : [],
  };
}

/** The editor's draft of a saved call. */
export function draftOfCall(call: ClientCallContent, agent: string): Draft {
  return {
    method: call.method || 'GET',
    path: unportable(call.path ?? '', agent),
    headers: (call.headers ?? []).map((h) => `${h.name}: ${h.value}`).join('\n'),
    body: call.body ?? '',
    ...(call.bodyFile ? { file: { name: call.bodyFile } } : {}),
    noFollow: call.noFollow ? true : undefined,
    caller: callerOf(call),
  };
}

/** What a list says about a call in a word: the method, or the protocol. */
export function kindWord(call: ClientCallContent): string {
  return call.tab === 'http' ? (call.method ?? 'GET') : (tabNames[call.tab as Tab] ?? call.tab);
}

/** A message in a line. */
export const brief = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
};
