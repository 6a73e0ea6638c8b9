import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { links, runAt } from '../api/links';
import type { ScreenProps } from './screen';

/** How many steps lie between a run in view and the place that it was opened from. */
const stepsIn = (): number => (history.state as { runSteps?: number } | null)?.runSteps ?? 0;

/** An address as the router gives it: with its escapes undone once. */
function readOnce(to: string): string {
  try {
    return decodeURI(to);
  } catch {
    return to;
  }
}

/**
 * The address in view. A run has one of its own and is shown over the place that
 * was there before, so that back, forward, a copied address and closing the
 * details all lead where one expects. path is that of the place.
 */
export function usePath(): { path: string; run: string | undefined; go: ScreenProps['go']; openRun: (id: string) => void; closeRun: () => void } {
  const [at, navigate] = useLocation();
  const run = runAt(at);
  // What is behind a run: Activity, when it was opened by its address alone.
  const [behind, setBehind] = useState(readOnce(links.activity()));
  if (!run && behind !== at) setBehind(at);
  const over = useRef(run !== undefined);
  useEffect(() => {
    over.current = run !== undefined;
  });

  const go = useCallback<ScreenProps['go']>(
    (to, options) => {
      // A place that mends its own address does not take the run out of view.
      if (over.current && options?.replace) setBehind(readOnce(to));
      else navigate(to, options);
    },
    [navigate],
  );
  const openRun = useCallback(
    (id: string) => navigate(links.run(id), { state: { runSteps: over.current && stepsIn() === 0 ? 0 : stepsIn() + 1 } }),
    [navigate],
  );
  const closeRun = useCallback(() => {
    const steps = stepsIn();
    if (steps > 0) history.go(-steps);
    else navigate(links.activity());
  }, [navigate]);
  return { path: run ? behind : at, run, go, openRun, closeRun };
}
