import { readStored, writeStored } from '../../ui/stored';
import { namedFile } from './bodyFile';
import { isCredential, withoutFields } from './credentials';
import type { Draft, RequestKind } from './draft';

interface Store {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => { drafts: Record<RequestKind, Draft> };
  setDraft: (kind: RequestKind, change: Partial<Draft>) => void;
}

/** Gives editors of requests what this browser kept of them, and keeps what is written from now on: without credentials. */
export function keepDrafts<S extends Store>(store: S, agent: string): S {
  const key = `client:${agent}`;
  for (const [kind, draft] of Object.entries(readStored<Partial<Record<RequestKind, Draft>>>(key, {}))) store.setDraft(kind as RequestKind, draft);
  let before = store.snapshot().drafts;
  store.subscribe(() => {
    const { drafts } = store.snapshot();
    if (drafts === before) return;
    before = drafts;
    writeStored(key, Object.fromEntries(Object.entries(drafts).map(([kind, draft]) => [kind, withoutCredentials(draft)])));
  });
  return store;
}

function withoutCredentials(draft: Draft): Draft {
  const { kind, id } = draft.caller;
  const headers = draft.headers
    .split('\n')
    .map((line) => (isCredential(line.split(':')[0]!.trim()) ? line.replace(/:.*/, ': ') : line))
    .join('\n');
  return { ...draft, ...(draft.file ? { file: namedFile(draft.file) } : {}), path: withoutFields(draft.path), headers, caller: id ? { kind, id } : { kind } };
}

/** Texts by the name of their box, kept in this browser. */
export class KeptTexts extends Map<string, string> {
  constructor(private readonly key: string) {
    super(Object.entries(readStored<Record<string, string>>(key, {})));
  }

  override set(name: string, text: string): this {
    super.set(name, text);
    // The base class calls this before there is a key.
    if (this.key) writeStored(this.key, Object.fromEntries([...this].filter(([, t]) => t !== '')));
    return this;
  }
}
