import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useSlow } from '../api/ApiContext';

export type Later<P> = ComponentType<P> & {
  /** Begins to load it before it is shown. */
  preload: () => void;
};

interface Options<P> {
  /** What shows until it is there. */
  meanwhile?: (props: P) => ReactNode;
  /** What it stands in, from when it is there. */
  within?: ComponentType<{ children: ReactNode }>;
}

/**
 * A component whose code is loaded when it is first shown, or before. Unlike
 * React's lazy it is there in the very picture that follows its code: behind a
 * Suspense, which was seen empty, React holds it back for a third of a second.
 */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, { meanwhile, within: Within }: Options<P> = {}): Later<P> {
  let there: ComponentType<P> | undefined;
  let coming: Promise<void> | undefined;
  const preload = () =>
    (coming ??= load().then(
      (module) => void (there = module.default),
      (error: unknown) => {
        coming = undefined; // the next one tries again
        throw error;
      },
    ));

  function Loaded(props: P) {
    const [Component, show] = useState(() => there);
    const [problem, setProblem] = useState<{ error: unknown }>();
    useSlow(!Component);
    useEffect(() => {
      if (Component) return;
      let left = false;
      preload().then(
        () => left || show(() => there),
        (error: unknown) => left || setProblem({ error }),
      );
      return () => void (left = true);
    }, [Component]);
    if (problem) throw problem.error; // for whoever keeps the rest of the page
    if (!Component) return meanwhile?.(props) ?? null;
    return Within ? <Within><Component {...props} /></Within> : <Component {...props} />;
  }
  return Object.assign(Loaded, { preload: () => void preload().catch(() => undefined) });
}
