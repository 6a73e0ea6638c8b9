import { QueryClient, QueryObserver, type InfiniteData } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import type { InvocationPage, InvocationRow } from './contract.gen';
import type { EventStream, StreamState } from './events';
import { keys } from './keys';
import { followEvents, mergeRows, refresh, staleAfter } from './live';

const row = (id: string, started: string, status = 'ok') => ({ id, started_at: started, status }) as InvocationRow;
const page = (rows: InvocationRow[], next: string | null = null): InvocationPage => ({ invocations: rows, items: rows, nextCursor: next, cursor: next });
const data = (...pages: InvocationPage[]): InfiniteData<InvocationPage> => ({ pages, pageParams: pages.map(String) });
const ids = (d: InfiniteData<InvocationPage> | undefined) => d?.pages.map((p) => p.invocations.map((r) => r.id).join(''));

describe('mergeRows', () => {
  const two = data(page([row('d', '4'), row('c', '3')], 'x'), page([row('b', '2'), row('a', '1')]));

  it('puts a new row on top', () => expect(ids(mergeRows(two, [row('e', '5')]))).toEqual(['edc', 'ba']));
  it('keeps the order of rows that come late', () => expect(ids(mergeRows(two, [row('e', '3.5')]))).toEqual(['dec', 'ba']));
  it('changes a known row in its place, on any page', () => {
    const after = mergeRows(two, [row('b', '2', 'error')]);
    expect(ids(after)).toEqual(['dc', 'ba']);
    expect(after?.pages[1]?.invocations[0]?.status).toBe('error');
  });
  it('leaves a row of a later page to that page', () => expect(mergeRows(two, [row('z', '2.5')])).toBe(two));
  it('appends the oldest row to a single page', () => expect(ids(mergeRows(data(page([row('b', '2')])), [row('a', '1')]))).toEqual(['ba']));
  it('does not grow without end: what is cut off is read again behind the last row that stays', () => {
    let grown: InfiniteData<InvocationPage> | undefined = two;
    for (let i = 0; i < 10_000; i++) {
      grown = mergeRows(grown, [row(`r${i}`, String(50_000 + i))]);
      expect(grown!.pages[0]!.invocations.length).toBeLessThanOrEqual(4_000);
    }
    expect(grown!.pages).toHaveLength(1);
    expect(grown!.pageParams).toHaveLength(1);
    const [first] = grown!.pages;
    expect(first!.invocations[0]!.id).toBe('r9999');
    expect(first!.nextCursor).toBe(first!.invocations.at(-1)!.started_at);
  });
  it('leaves a history that was never asked for alone', () => expect(mergeRows(undefined, [row('a', '1')])).toBeUndefined());
});

describe('staleAfter', () => {
  it('makes everything stale after a gap', () => {
    expect(staleAfter({ id: 1, event: 'stream.gap', data: { reason: 'slow' } })).toEqual([[]]);
  });
  it('names the queries of the agent', () => {
    const stale = staleAfter({ id: 1, event: 'secret.set', data: { agentId: 'a', function: 'f', binding: 'K' } });
    expect(stale).toContainEqual(['secrets', 'a']);
    expect(stale).toContainEqual(['work', 'a']);
  });
  it('asks again for the saved calls that another program changed', () => {
    expect(staleAfter({ id: 1, event: 'calls.changed', data: { agentId: 'a' } })).toEqual([['calls', 'a']]);
  });
  it('does not ask again for a log line', () => {
    expect(staleAfter({ id: 1, event: 'invocation.log', data: { agentId: 'a', function: 'f', invocationId: 'i', level: 'info', message: '', ts: 0 } })).toEqual([]);
  });
});

describe('refresh', () => {
  it('asks again behind a first answer that was on its way', async () => {
    const cache = new QueryClient();
    const answers: ((list: string[]) => void)[] = [];
    const observer = new QueryObserver<string[]>(cache, { queryKey: ['work', 'a'], queryFn: () => new Promise<string[]>((done) => answers.push(done)) });
    const seen: (string[] | undefined)[] = [];
    const stop = observer.subscribe((r) => seen.push(r.data));
    refresh(cache, ['work']);
    expect(answers).toHaveLength(1);
    answers[0]!(['greet']); // asked for before visits was declared
    await expect.poll(() => answers.length).toBe(2);
    answers[1]!(['greet', 'visits']);
    await expect.poll(() => seen.at(-1)).toEqual(['greet', 'visits']);
    stop();
    cache.clear();
  });
});

describe('followEvents', () => {
  it('asks once more for what was asked before anybody listened, when the stream is live for the first time', async () => {
    const watchers: (() => void)[] = [];
    const stream = {
      state: 'connecting' as StreamState,
      subscribe: () => () => undefined,
      watch: (watcher: () => void) => (watchers.push(watcher), () => undefined),
    };
    const become = (state: StreamState) => {
      stream.state = state;
      watchers.forEach((w) => w());
    };
    const cache = new QueryClient();
    const ask = vi.fn(async () => 'source');
    const other = vi.fn(async () => 'docs');
    for (const [queryKey, queryFn] of [[keys.workFunction('a', 'f'), ask], [['docs'], other]] as const) {
      new QueryObserver(cache, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
    }
    await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
    const stop = followEvents(stream as unknown as EventStream, cache);
    become('live');
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
    become('live');
    await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
    expect(ask).toHaveBeenCalledTimes(2);
    expect(other).toHaveBeenCalledTimes(1);
    stop();
    cache.clear();
  });
});
