import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { Feed, type FeedState } from './feed';
import { matcher, searchParams, type Query } from './query';

const pageSize = 200;

/** The feed behind a query, true to the live stream while it is shown. */
export function useFeed(query: Query, agents: readonly Agent[]): [Feed, FeedState] {
  const { client, events } = useApi();
  const feed = useMemo(
    () =>
      new Feed({
        matches: matcher(query, agents),
        load: (cursor) => client.call('GET /api/local/invocations', { query: { ...searchParams(query), limit: pageSize, cursor } }),
      }),
    [agents, client, query],
  );
  useEffect(() => {
    let wasDown = false;
    const unsubscribe = events.subscribe((event) => {
      if (event.event === 'invocation.started' || event.event === 'invocation.finished') feed.add(event.data);
      else if (event.event === 'stream.gap') feed.reload();
    });
    // What happened while the stream was down came to nobody.
    const unwatch = events.watch(() => {
      if (events.state === 'down') wasDown = true;
      else if (events.state === 'live' && wasDown) {
        wasDown = false;
        feed.reload();
      }
    });
    feed.reload();
    return () => {
      unsubscribe();
      unwatch();
    };
  }, [events, feed]);
  return [feed, useSyncExternalStore(feed.watch, feed.get)];
}
