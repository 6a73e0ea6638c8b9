import { readStored, writeStored } from '../../ui/stored';

/** What somebody has typed for a key and not saved, and the version of the value that it was based on. */
export interface KeyDraft {
  text: string;
  /** Of the value that was there; undefined for a new key. */
  version: string | undefined;
  /** The name of a new key. */
  key?: string;
}

/** Longer ones would fill what a browser keeps for this address. */
const longest = 200_000;

const place = (agent: string, at: { function: string; scope: string }, key: string | undefined) =>
  `kv:${agent}:${JSON.stringify([at.function, at.scope, ...(key === undefined ? [] : [key])])}`;

export function readDraft(agent: string, at: { function: string; scope: string }, key: string | undefined): KeyDraft | undefined {
  return readStored<KeyDraft | undefined>(place(agent, at, key), undefined);
}

/** Keeps a draft over a look at another key, a reload or a crash; undefined forgets it. */
export function keepDraft(agent: string, at: { function: string; scope: string }, key: string | undefined, draft: KeyDraft | undefined): void {
  writeStored(place(agent, at, key), draft && draft.text.length <= longest ? draft : undefined);
}
