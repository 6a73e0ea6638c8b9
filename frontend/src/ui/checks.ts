import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './stored';

/** The four things worth trying first. */
export type CheckId = 'edit' | 'secret' | 'http' | 'replay';

const name = 'checks';
const watchers = new Set<() => void>();
let done: ReadonlySet<string> = new Set(readStored<string[]>(name, []));

/** Ticks off one of the first steps; it stays so on this machine. */
export function tick(id: CheckId): void {
  if (done.has(id)) return;
  done = new Set([...done, id]);
  writeStored(name, [...done]);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The first steps that were done. */
export function useChecks(): ReadonlySet<string> {
  return useSyncExternalStore(watch, () => done);
}
