import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { locale } from '../i18n/language';
import { t } from '../i18n/t';
import { EmptyState } from './EmptyState';

/** A list whose filter hides everything: how much there is, and the way back to it. */
export function NoMatch({ of, children, onClear }: { of: number | string; children?: ReactNode; onClear: () => void }) {
  return (
    <EmptyState
      title={t('0 of {of} match', { of: typeof of === 'number' ? of.toLocaleString(locale()) : of })}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
