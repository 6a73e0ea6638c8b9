import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useSlow } from '../api/ApiContext';
import classes from './Steady.module.css';

const isFirst = (q: Query) => q.state.status === 'pending';

/**
 * Keeps what is inside unseen until every question that it asks had its first
 * answer, so that nothing moves away under a pointer or an eye. Later answers
 * change what is there, and it stays seen.
 */
export function Steady({ children, onReady }: { children: ReactNode; onReady?: () => void }) {
  const cache = useQueryClient();
  const waiting = useIsFetching({ predicate: isFirst });
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // Children have run their effects: a question that follows from an answer is asked by now.
    if (cache.isFetching({ predicate: isFirst }) === 0) setReady(true);
  }, [cache, waiting]);
  useSlow(!ready);
  const told = useRef(onReady);
  useEffect(() => {
    told.current = onReady;
  });
  useEffect(() => {
    if (ready) told.current?.();
  }, [ready]);
  return (
    <div className={classes.root} data-waiting={!ready || undefined} aria-busy={!ready}>
      {children}
    </div>
  );
}
