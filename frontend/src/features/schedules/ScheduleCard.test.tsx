import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Schedule } from '../../api/contract.gen';
import { CommandsProvider, Commands } from '../../ui/commands';
import { ScheduleCard } from './ScheduleCard';

const now = Date.parse('2026-03-02T10:00:00Z');
const schedule = (more: Partial<Schedule>): Schedule => ({
  entryId: 'night',
  use: 'report',
  entry: { id: 'night', cron: '0 3 * * *' },
  enabled: true,
  sentence: 'At 03:00 every day',
  next: ['2026-03-03T03:00:00Z', '2026-03-04T03:00:00Z'],
  running: false,
  ...more,
} as Schedule);

const nothing = () => undefined;

function show(s: Schedule, openRun: (id: string) => void = nothing, broken?: string) {
  return render(
    <MantineProvider env="test">
      <CommandsProvider commands={new Commands()}>
        <ScheduleCard agent="a-1" schedule={s} now={now} broken={broken} busy={undefined} onRun={nothing} onEnable={nothing} onChange={nothing} onRemove={nothing} onFunction={nothing} onHistory={nothing} openRun={openRun} />
      </CommandsProvider>
    </MantineProvider>,
  );
}

afterEach(() => {
  cleanup();
  localStorage.clear();
});

describe('ScheduleCard', () => {
  it('says how many were missed, and since when', () => {
    show(schedule({ missed: { count: 3, from: '2026-02-27T03:00:00Z', to: '2026-03-01T03:00:00Z' } as Schedule['missed'] }));
    expect(screen.getByText(/^3 missed between/).textContent).toContain('not made up for');
  });
  it('puts missed runs away until others are missed', () => {
    const missed = (notedAt: string) => ({ missed: { count: 2, from: '2026-02-27T03:00:00Z', to: '2026-03-01T03:00:00Z', notedAt } as Schedule['missed'] });
    show(schedule(missed('2026-03-01T04:00:00Z')));
    fireEvent.click(screen.getByRole('button', { name: 'Put away what night missed' }));
    expect(screen.queryByText(/missed between/)).toBeNull();
    cleanup();
    show(schedule(missed('2026-03-01T04:00:00Z')));
    expect(screen.queryByText(/missed between/)).toBeNull();
    cleanup();
    show(schedule(missed('2026-03-02T04:00:00Z')));
    expect(screen.getByText(/^2 missed between/)).toBeTruthy();
  });
  it('says what keeps its function from running', () => {
    show(schedule({}), nothing, 'There is no function of that name.');
    expect(screen.getByText('There is no function of that name.')).toBeTruthy();
  });
  it('says that there were more than it counted', () => {
    show(schedule({ missed: { count: 10_000, more: true, from: '2026-02-27T03:00:00Z', to: '2026-03-01T03:00:00Z' } as Schedule['missed'] }));
    expect(screen.getByText(/^More than 10,?000 missed/)).toBeTruthy();
  });
  it('says nothing about missed runs when there are none', () => {
    show(schedule({}));
    expect(screen.queryByText(/missed/)).toBeNull();
    expect(screen.getByRole('region', { name: 'Next runs' }).querySelectorAll('li')).toHaveLength(2);
  });
  it('leads from a failure to its run', () => {
    const openRun = vi.fn();
    show(schedule({ lastRun: { outcome: 'error', firedAt: '2026-03-02T03:00:00Z', manual: false, invocationId: 'i-1', errorCode: 'WALL_TIMEOUT', errorMessage: 'too long' } as Schedule['lastRun'] }), openRun);
    expect(screen.getByText('WALL_TIMEOUT')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    expect(openRun).toHaveBeenCalledWith('i-1');
  });
});
