import { useEffect, useState, useSyncExternalStore } from 'react';
import { useApi } from './ApiContext';
import type { Client } from './client';
import type { InvocationRow, LiveEvent } from './contract.gen';
import type { EventStream } from './events';
import { paced } from './paced';

/** How many rows the page keeps of what happens; older ones are in the history. */
const keptRows = 500;

/**
 * Activity gathers the invocations of all agents as they happen, newest first.
 * Changes are handed out a few times a second, however many events arrive.
 */
export class Activity {
  private rows = new Map<string, InvocationRow>();
  private sorted: readonly InvocationRow[] = [];
  private readonly watchers = new Set<() => void>();
  private scheduled = false;
  private changes = 0;

  constructor(private readonly schedule: (run: () => number) => void = paced()) {}

  /** Takes rows in; one that is known is replaced unless it would go back to running. */
  add(rows: readonly InvocationRow[]): void {
    for (const row of rows) {
      const known = this.rows.get(row.id);
      if (known && known.status !== 'running' && row.status === 'running') continue;
      this.rows.set(row.id, row);
      this.changes++;
    }
    if (rows.length === 0 || this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => this.publish());
  }

  onEvent = (event: LiveEvent): void => {
    if (event.event === 'invocation.started' || event.event === 'invocation.finished') this.add([event.data]);
  };

  list = (): readonly InvocationRow[] => this.sorted;

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  private publish(): number {
    this.scheduled = false;
    const { changes } = this;
    this.changes = 0;
    const all = [...this.rows.values()].sort((a, b) => (a.started_at < b.started_at ? 1 : a.started_at > b.started_at ? -1 : 0));
    this.sorted = all.slice(0, keptRows);
    if (all.length > keptRows) this.rows = new Map(this.sorted.map((r) => [r.id, r]));
    for (const watcher of this.watchers) watcher();
    return changes;
  }
}

/** How many functions the page asks for their last invocations when it opens. */
const seededFunctions = 12;
const seededRows = 20;

async function seed(activity: Activity, client: Client, agent: string): Promise<void> {
  const { functions } = await client.call('GET /api/local/agents/:agent/functions', { params: { agent } });
  await Promise.all(
    functions.slice(0, seededFunctions).map(async ({ name }) => {
      const page = await client.call('GET /api/agents/:agent/functions/:name/invocations', {
        params: { agent, name },
        query: { limit: seededRows },
      });
      activity.add(page.invocations);
    }),
  );
}

function follow(activity: Activity, events: EventStream): () => void {
  return events.subscribe(activity.onEvent);
}

/** The live invocations, with the last ones of the agent in view from before. */
export function useActivity(agent: string | undefined): readonly InvocationRow[] {
  const { client, events } = useApi();
  const [activity] = useState(() => new Activity());
  useEffect(() => follow(activity, events), [activity, events]);
  useEffect(() => {
    // The band is a look at what happens: it stays empty when this fails.
    if (agent) seed(activity, client, agent).catch(() => undefined);
  }, [activity, client, agent]);
  return useSyncExternalStore(activity.watch, activity.list);
}
