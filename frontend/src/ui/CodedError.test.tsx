import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { InvocationRow } from '../api/contract.gen';
import { ActivityRow } from '../features/activity/ActivityRow';

afterEach(cleanup);

it('a row says a code once, also when its message begins with it', () => {
  const row = { id: '1', function_name: 'poller', status: 'error', source_skill: 'cron', started_at: '2026-01-02T03:04:05Z', error_code: 'FETCH_FAILED', error_message: 'FETCH_FAILED: no such host' } as InvocationRow;
  const { container } = render(<ActivityRow row={row} />, { wrapper: MantineProvider });
  expect(container.textContent?.match(/FETCH_FAILED/g)).toHaveLength(1);
  expect(container.textContent).toContain('no such host');
});

it('no component shows the message of a coded error as it came', () => {
  const sources = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx'], { query: '?raw', import: 'default', eager: true });
  const plain = Object.entries(sources).flatMap(([file, text]) => (text.match(/(?<![=$])\{[\w.?]*(?:errorMessage|error_message|problem\??\.message|entry\.error\.message)\}/g) ?? []).map((found) => `${file}: ${found}`));
  expect(plain).toEqual([]);
});
