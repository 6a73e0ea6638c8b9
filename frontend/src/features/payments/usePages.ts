import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';

/** All pages read so far of a list that goes on, and the way to the next. */
export function usePages<P extends { nextCursor: string | null }>(queryKey: QueryKey, ask: (cursor: string, signal: AbortSignal) => Promise<P>, enabled = true) {
  return useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    getNextPageParam: (last: P) => last.nextCursor ?? undefined,
  });
}
