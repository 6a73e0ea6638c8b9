import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';

/** What goes later than this is not waited for: something else reads the list before. */
const mostMs = 3_600_000;

/** The platform looks at its clock a moment after the page does. */
const graceMs = 300;

/** Reads data again when the first of some moments has come: what expired then is still shown. */
export function useStaleAtExpiry(key: QueryKey, moments: readonly (string | null | undefined)[]): void {
  const cache = useQueryClient();
  const name = JSON.stringify(key);
  useEffect(() => {
    const now = Date.now();
    const next = Math.min(...moments.flatMap((at) => (at && Date.parse(at) > now ? [Date.parse(at)] : [])));
    if (!(next - now < mostMs)) return;
    const timer = setTimeout(() => void cache.invalidateQueries({ queryKey: JSON.parse(name) as QueryKey }), next - now + graceMs);
    return () => clearTimeout(timer);
  }, [cache, moments, name]);
}
