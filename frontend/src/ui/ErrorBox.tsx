import { Button } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../i18n/t';
import classes from './ErrorBox.module.css';

/** A failure in place: what happened, and a way on. */
export function ErrorBox({ title, children, onRetry, tone = 'bad' }: { title: string; children?: ReactNode; onRetry?: () => void; tone?: 'bad' | 'warn' }) {
  return (
    <div className={classes.root} data-tone={tone} role="alert">
      <CircleAlert size={16} className={classes.icon} aria-hidden />
      <div className={classes.body}>
        <div className={classes.title}>{title}</div>
        {children && <div className={classes.text}>{children}</div>}
      </div>
      {onRetry && (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}
