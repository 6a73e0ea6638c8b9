import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { InvocationItem, InvocationPage, InvocationRow, LiveEvent } from './contract.gen';
import type { EventStream } from './events';
import { whenIdle } from '../ui/idle';
import { keys } from './keys';

/** The queries that an event makes stale. */
export function staleAfter(event: LiveEvent): QueryKey[] {
  switch (event.event) {
    case 'function.declared':
    case 'function.removed': // and an audit row
      return [
        keys.work(event.data.agentId),
        keys.secrets(event.data.agentId),
        keys.history(event.data.agentId, event.data.name),
        keys.folders(event.data.agentId),
        keys.kv(event.data.agentId),
        keys.openapi(event.data.agentId),
        keys.endpoints(event.data.agentId),
      ];
    case 'function.failed':
      return [keys.work(event.data.agentId)];
    case 'secret.set':
    case 'secret.deleted':
      return [keys.secrets(event.data.agentId), keys.work(event.data.agentId)];
    case 'project.opened':
    case 'project.changed':
    case 'project.closed':
      return [keys.projects, keys.agents, keys.work(event.data.agentId), keys.endpoints(event.data.agentId)];
    case 'agent.created':
    case 'agent.changed':
    case 'agent.removed':
      return [keys.agents];
    case 'invocation.finished':
      return [keys.invocation(event.data.id), ...(event.data.source_skill === 'cron' ? [keys.schedules(event.data.agent_id)] : [])];
    case 'consumers.changed':
      return [keys.schedules(event.data.agentId), keys.openapi(event.data.agentId), keys.endpoints(event.data.agentId), keys.work(event.data.agentId)];
    case 'calls.changed':
      return [keys.calls(event.data.agentId)];
    case 'schedule.fired':
    case 'schedule.skipped':
    case 'schedule.missed':
      return [keys.schedules(event.data.agentId)];
    case 'inbox.message':
      return [keys.inbox];
    case 'payment.simulator': // a notice says that faults are on
      return [keys.status, keys.simulator(event.data.agentId)];
    case 'stream.gap':
      return [[]];
    default:
      return [];
  }
}

/** Rows that may come live onto the first page of a history, and how many of them stay when it is cut. */
const fullPage = 4_000;
const cutPage = 1_000;

/**
 * Puts rows into the pages of a history: changed in place, or new in their order.
 * A first page that has grown too long loses its end and the pages behind it,
 * which are read again when somebody scrolls there.
 */
export function mergeRows(data: InfiniteData<InvocationPage> | undefined, rows: readonly InvocationRow[]): InfiniteData<InvocationPage> | undefined {
  if (!data?.pages[0]) return data;
  const fresh = new Map(rows.map((r) => [r.id, r]));
  let pages = data.pages.map((page) => {
    let invocations: InvocationItem[] | undefined;
    page.invocations.forEach((known, at) => {
      const row = fresh.get(known.id);
      if (!row) return;
      fresh.delete(known.id);
      invocations ??= page.invocations.slice();
      invocations[at] = row;
    });
    return invocations ? { ...page, invocations, items: invocations } : page;
  });
  const first = pages[0]!;
  const oldest = first.invocations.at(-1);
  // A row below the first page lies on a later one, which has it.
  const added = [...fresh.values()].filter((r) => pages.length === 1 || (oldest !== undefined && r.started_at > oldest.started_at));
  if (added.length > 0) {
    let invocations = [...first.invocations, ...added].sort((a, b) => (a.started_at < b.started_at ? 1 : a.started_at > b.started_at ? -1 : 0));
    if (invocations.length > fullPage) {
      invocations = invocations.slice(0, cutPage);
      const cursor = invocations.at(-1)!.started_at;
      return { pages: [{ ...first, invocations, items: invocations, nextCursor: cursor, cursor }], pageParams: data.pageParams.slice(0, 1) };
    }
    pages = [{ ...first, invocations, items: invocations }, ...pages.slice(1)];
  } else if (pages.every((page, i) => page === data.pages[i])) return data;
  return { ...data, pages };
}

/**
 * Asks again for what an event made stale. A query that still waits for its
 * first answer is asked once more behind it: that answer may be from before the
 * event, and an invalidation alone would let it stand.
 */
export function refresh(cache: QueryClient, queryKey: QueryKey): void {
  const waiting = cache.getQueryCache().findAll({ queryKey, predicate: (q) => q.state.data === undefined && q.state.fetchStatus === 'fetching' });
  void cache.invalidateQueries({ queryKey });
  for (const query of waiting) {
    const again = () => void cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(again, () => undefined);
  }
}

/** What the page asks for before it is there (app/ahead.ts). */
const askedAhead: QueryKey[] = [keys.agents, ['work']];

const flushMs = 60;
const pollMs = 5_000;

/**
 * Keeps the query cache true to the live stream: events make queries stale, and
 * history rows are put in place without asking again. Events are gathered for a
 * moment, so that a storm of them is a handful of refetches. While the stream is
 * down, active queries are polled. The answer ends it all.
 */
export function followEvents(stream: EventStream, cache: QueryClient): () => void {
  const stale = new Map<string, QueryKey>();
  const histories = new Map<string, { queryKey: QueryKey; rows: Map<string, InvocationRow> }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let wasDown = false;
  let wasLive = false;

  const flush = () => {
    timer = undefined;
    for (const { queryKey, rows } of histories.values()) {
      cache.setQueryData<InfiniteData<InvocationPage>>(queryKey, (data) => mergeRows(data, [...rows.values()]));
    }
    histories.clear();
    for (const key of stale.values()) refresh(cache, key);
    stale.clear();
  };
  const isKept = (key: QueryKey) => cache.getQueryState(key) !== undefined;
  const unsubscribe = stream.subscribe((event) => {
    if (event.event === 'invocation.started' || event.event === 'invocation.finished') {
      const row = event.data;
      const queryKey = keys.history(row.agent_id, row.function_name);
      const name = queryKey.join('/');
      if (isKept(queryKey)) {
        if (!histories.has(name)) histories.set(name, { queryKey, rows: new Map() });
        histories.get(name)!.rows.set(row.id, row);
      }
      // Of a thousand runs a second nobody has more than a few open.
      if (event.event === 'invocation.finished' && row.source_skill !== 'cron' && !isKept(keys.invocation(row.id))) return;
    }
    for (const key of staleAfter(event)) stale.set(JSON.stringify(key), key);
    timer ??= setTimeout(flush, flushMs);
  });
  const unwatch = stream.watch(() => {
    clearInterval(poll);
    if (stream.state === 'down') {
      wasDown = true;
      // What is still being asked is let finish: a slow answer is better than none.
      poll = setInterval(() => void cache.invalidateQueries({}, { cancelRefetch: false }), pollMs);
    } else if (stream.state === 'live') {
      if (wasDown) void cache.invalidateQueries();
      // The page asked for these before it listened: a change in between is in no event.
      else if (!wasLive) whenIdle(() => askedAhead.forEach((key) => refresh(cache, key)));
      wasDown = false;
      wasLive = true;
    }
  });
  return () => {
    unsubscribe();
    unwatch();
    clearTimeout(timer);
    clearInterval(poll);
  };
}
