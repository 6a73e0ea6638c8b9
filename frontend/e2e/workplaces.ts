import type { Page } from '@playwright/test';
import { Workbench } from './pages/Workbench';
import type { Place } from './places';
import type { Platform } from './platform';

// What the samples look like after work.ts: the pictures of the README are from here.

/** The places of several agents, by their addresses. */
export function workPlaces(platform: Platform): readonly Place[] {
  const at = (name: string, address: string, ready: (page: Page) => Promise<unknown>): Place => ({
    name: `work-${name}`,
    go: async (page) => {
      await page.goto(`${platform.url}/#${address}`);
      await ready(page);
    },
  });
  return [
    at('home', '/', (page) => page.getByRole('region', { name: 'How your functions do' }).waitFor()),
    {
      name: 'work-functions',
      go: async (page) => {
        await page.goto(`${platform.url}/#/a/hello/functions/visits`);
        const bench = new Workbench(page);
        await bench.opened('visits');
        await bench.runs();
        await page.getByRole('button', { name: 'Show activity' }).click();
        await page.getByRole('listbox', { name: 'Invocations' }).getByRole('option').nth(3).waitFor();
      },
      leave: (page) => page.getByRole('button', { name: 'Hide activity' }).click(),
    },
    {
      name: 'work-run',
      go: async (page) => {
        await page.getByRole('button', { name: 'Details' }).click();
        await page.getByRole('dialog').getByRole('list', { name: 'What visits did' }).waitFor();
      },
      leave: async (page) => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      },
    },
    at('activity', '/activity', async (page) => {
      await page.locator('button[data-row]', { hasText: 'report' }).first().click();
      await page.getByRole('button', { name: 'All details' }).waitFor();
    }),
    at('schedules', '/a/nightly-cron/schedules', (page) => page.getByRole('heading', { name: /09:00/ }).waitFor()),
    at('payments', '/payments', (page) => page.getByTestId('token').first().waitFor()),
    at('ledger', '/payments/ledger', (page) => page.getByTestId('entry').first().waitFor()),
    at('data', '/a/webhook-hmac/data', (page) => page.getByRole('option').first().click()),
    at('secrets', '/a/webhook-hmac/secrets', (page) => page.getByRole('heading', { name: 'Secrets' }).waitFor()),
    at('client', '/a/rest-api/client', async (page) => {
      await page.getByRole('button', { name: /^POST \/items/ }).first().click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('region', { name: 'Body of the answer' }).waitFor();
    }),
    at('chat', '/a/chat-agent/client/chat', async (page) => {
      await page.getByRole('textbox', { name: 'What you say' }).fill('What do twelve hours cost?');
      await page.getByRole('textbox', { name: 'What you say' }).press('Enter');
      await page.getByTestId('usage').waitFor();
    }),
  ];
}
