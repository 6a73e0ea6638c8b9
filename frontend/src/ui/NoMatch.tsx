import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState';

/** A list whose filter hides everything: how much there is, and the way back to it. */
export function NoMatch({ of, children, onClear }: { of: number | string; children?: ReactNode; onClear: () => void }) {
  return (
    <EmptyState
      title={`0 of ${typeof of === 'number' ? of.toLocaleString() : of} match`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
