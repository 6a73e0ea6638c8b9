import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { editOutside, folderOf, read } from './disk';
import type { Place } from './places';
import type { Platform } from './platform';

// States that a place comes into by itself: what was restored, what is not there,
// what does not answer. The page shows the hello sample after fill().

const handler = `/** @type {EndpointHandler} */
export default async function status(ctx, args) {
  return { who: args.who ?? 'nobody' };
}
`;

/** In this order: with the last of them the platform is gone. */
export function statePlaces(platform: Platform): readonly Place[] {
  const at = (name: string, address: string, ready: (page: Page) => Promise<unknown>): Place => ({
    name: `state-${name}`,
    go: async (page) => {
      await page.goto(`${platform.url}/#${address}`);
      await ready(page);
    },
  });
  const title = (text: string | RegExp) => (page: Page) => page.getByRole('heading', { name: text }).waitFor();
  return [
    at('no-function', '/a/hello/functions/nothing', (page) => page.getByText('There is no function nothing').waitFor()),
    at('no-agent', '/a/nobody/functions', title('There is no agent “nobody”')),
    at('nowhere', '/nowhere', title('There is nothing at this address')),
    {
      ...at('no-run', '/runs/00000000-0000-4000-8000-000000000000', title('There is no such run')),
      leave: async (page) => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      },
    },
    {
      name: 'state-clock',
      go: async (page) => {
        await page.goto(`${platform.url}/#/a/hello/functions/greet`);
        await page.getByTestId('editor').locator('.view-line').first().waitFor();
        await page.getByRole('button', { name: 'Clock: live, change' }).click();
        await page.getByRole('menuitem', { name: /^New Year's Eve/ }).click();
        await page.getByRole('button', { name: /^Clock: \d/ }).waitFor();
        await page.keyboard.press('Control+Enter');
        await page.getByRole('region', { name: 'Output of the run' }).getByText(/^clock: /).waitFor();
        await page.getByText('That was').waitFor();
      },
      leave: async (page) => {
        await page.getByRole('banner').getByRole('button', { name: 'Clock: back to live' }).click();
        await page.getByRole('button', { name: 'Clock: live, change' }).waitFor();
      },
    },
    {
      name: 'state-filters',
      go: async (page) => {
        await page.goto(`${platform.url}/#/activity/fn%3Ashop%20status%3Aerror`);
        await page.getByRole('button', { name: 'Keep this filter' }).click();
        await page.getByRole('button', { name: 'Forget fn:shop status:error' }).waitFor();
      },
    },
    {
      name: 'state-agent-file',
      go: async (page) => {
        await page.goto(`${platform.url}/#/a/hello/functions/AGENT.md`);
        await page.getByTestId('editor').locator('.view-line').first().waitFor();
        editOutside(join(await folderOf(platform, 'hello'), 'AGENT.md'), (text) => text.replace(/^---\n/, '---\nflavour: salt\n'));
        await page.getByRole('region', { name: 'Problems of AGENT.md' }).waitFor();
      },
      leave: async (page) => {
        editOutside(join(await folderOf(platform, 'hello'), 'AGENT.md'), (text) => text.replace('flavour: salt\n', ''));
        await page.getByRole('region', { name: 'Problems of AGENT.md' }).waitFor({ state: 'hidden' });
      },
    },
    {
      name: 'state-module',
      go: async (page) => {
        const folder = await folderOf(platform, 'hello');
        mkdirSync(join(folder, 'endpoints'), { recursive: true });
        writeFileSync(join(folder, 'endpoints/status.js'), handler);
        editOutside(join(folder, 'AGENT.md'), (text) => text.replace(/^---\n/, '---\nendpoints:\n  - { path: "/status", method: get, scope: all, handler: endpoints/status.js, parameters: { who: string } }\n'));
        await page.goto(`${platform.url}/#/a/hello/functions/${encodeURIComponent(encodeURIComponent('endpoints/status.js'))}`);
        await page.getByTestId('editor').locator('.view-line').first().waitFor();
        await page.getByRole('button', { name: 'Open GET /status in Client' }).waitFor();
      },
    },
    {
      name: 'state-restored',
      go: async (page) => {
        // As another browser leaves it: typed there, and not saved.
        const text = read(await folderOf(platform, 'hello'), 'functions/visits/index.js');
        await platform.api('PUT', '/api/local/drafts/hello/visits/source', { text: `${text}// to be gone on with\n`, base: { text, sha256: createHash('sha256').update(text).digest('hex') } });
        await page.goto('about:blank');
        await page.goto(`${platform.url}/#/a/hello/functions/visits`);
        await page.getByText(/^Unsaved text from/).waitFor();
        await page.getByTestId('editor').locator('.view-line').first().waitFor();
      },
    },
    {
      name: 'state-message',
      go: async (page) => {
        await platform.api('POST', '/api/local/agents/hello/schedules/night/run');
        await page.getByRole('alert').filter({ hasText: 'Night report' }).waitFor();
        writeFileSync(join(await folderOf(platform, 'hello'), 'functions/greet/index.js'), 'export default async (ctx) => {{');
        await page.getByRole('alert').filter({ hasText: 'greet does not load' }).waitFor();
      },
      leave: async (page) => {
        // In a low window what one says may lie on the list for as long as it is there.
        // The message goes by itself, the other one stays until it is put away.
        await page.getByRole('alert').filter({ hasText: 'greet does not load' }).getByRole('button', { name: 'Close' }).click();
        await expect(page.getByRole('alert').filter({ hasText: /Night report|greet does not load/ })).toHaveCount(0);
      },
    },
    {
      name: 'state-gone',
      go: async (page) => {
        await platform.stop();
        await expect(page.getByRole('button', { name: /^Reconnecting/ })).toBeVisible();
        await page.keyboard.press('Control+Enter');
        await page.getByRole('main').getByRole('alert').first().waitFor();
      },
    },
  ];
}
