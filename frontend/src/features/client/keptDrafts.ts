import { readStored, writeStored } from '../../ui/stored';
import { readTab, writeTab } from '../../ui/tabStored';
import { namedFile } from './bodyFile';
import { isCredential, withoutFields, withoutForms } from './credentials';
import type { Draft, RequestKind } from './draft';

interface Store {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => { drafts: Record<RequestKind, Draft> };
  setDraft: (kind: RequestKind, change: Partial<Draft>) => void;
}

/**
 * Gives editors of requests what was kept of them, and keeps what is written
 * from now on. What is a credential by its name is never kept; what only looks
 * like one stays in a text that is being written until its tab is closed, and in
 * nothing that was sent, was answered or is left behind by then.
 */
export function keepDrafts<S extends Store>(store: S, agent: string): S {
  const key = `client:${agent}`;
  for (const [kind, draft] of Object.entries(readTab<Partial<Record<RequestKind, Draft>>>(key) ?? readStored<Partial<Record<RequestKind, Draft>>>(key, {}))) store.setDraft(kind as RequestKind, draft as Draft);
  let before = store.snapshot().drafts;
  store.subscribe(() => {
    const { drafts } = store.snapshot();
    if (drafts === before) return;
    before = drafts;
    const named = mapped(drafts, withoutCredentials);
    writeTab(key, named);
    writeStored(key, mapped(named, withoutLikes));
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

/** The same without what looks like a credential, and with a word of that. */
function withoutLikes(draft: Draft): Draft {
  const body = withoutForms(draft.body);
  return { ...draft, path: withoutForms(draft.path), headers: withoutForms(draft.headers), body, ...(body === draft.body ? {} : { withheld: true }) };
}

const mapped = <T, U>(of: Record<string, T>, change: (one: T) => U): Record<string, U> => Object.fromEntries(Object.entries(of).map(([name, one]) => [name, change(one)]));

/** Texts by the name of their box that were not sent yet, kept by the same rule. */
export class KeptTexts extends Map<string, string> {
  constructor(private readonly key: string) {
    super(Object.entries(readTab<Record<string, string>>(key) ?? readStored<Record<string, string>>(key, {})));
  }

  override set(name: string, text: string): this {
    super.set(name, text);
    // The base class calls this before there is a key.
    if (!this.key) return this;
    const written = Object.fromEntries([...this].filter(([, t]) => t !== ''));
    writeTab(this.key, written);
    writeStored(this.key, mapped(written, withoutForms));
    return this;
  }
}
