import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './Splitter.module.css';

export interface SplitterProps {
  label: string;
  /** "vertical" is a bar between left and right. */
  orientation?: 'vertical' | 'horizontal';
  value: number;
  min: number;
  max: number;
  /** Whether dragging towards the start makes the pane larger. */
  reverse?: boolean;
  onChange: (value: number) => void;
}

/** A bar that sizes the pane beside it, by pointer or by arrow keys. */
export function Splitter({ label, orientation = 'vertical', value, min, max, reverse, onChange }: SplitterProps) {
  const from = useRef<{ at: number; value: number }>(undefined);
  const clamp = (n: number) => Math.round(Math.max(min, Math.min(max, n)));
  const place = (e: PointerEvent) => (orientation === 'vertical' ? e.clientX : e.clientY);
  const sign = reverse ? -1 : 1;
  const onKeyDown = (e: KeyboardEvent) => {
    const back = orientation === 'vertical' ? 'ArrowLeft' : 'ArrowUp';
    const on = orientation === 'vertical' ? 'ArrowRight' : 'ArrowDown';
    if (e.key === back) onChange(clamp(value - 16 * sign));
    else if (e.key === on) onChange(clamp(value + 16 * sign));
    else return;
    e.preventDefault();
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={classes.bar}
      data-orientation={orientation}
      onKeyDown={onKeyDown}
      onPointerDown={(e) => {
        from.current = { at: place(e), value };
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => {
        if (from.current) onChange(clamp(from.current.value + (place(e) - from.current.at) * sign));
      }}
      onPointerUp={() => (from.current = undefined)}
      onPointerCancel={() => (from.current = undefined)}
    />
  );
}
