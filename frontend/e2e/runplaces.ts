import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { folderOf } from './disk';
import { Workbench } from './pages/Workbench';
import type { Place } from './places';
import type { Platform } from './platform';

// What a run left, and what is learnt from runs: the details of one, why it was
// denied, two beside each other, and what a function needs the least. The page
// shows the hello sample after fill().

const denied = `export default async function handler(ctx) {
  const answer = await ctx.fetch('https://api.example.invalid/v1/orders');
  return answer.status;
}
`;

const parameters = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'Who ordered', default: 'Ada' },
    note: { type: ['string', 'null'], description: 'What the kitchen should know', default: 'no onions' },
    due: { type: 'string', format: 'date-time', default: '2026-03-01T12:00:00Z' },
    count: { type: 'integer', minimum: 1, default: 2 },
    gift: { type: 'boolean', default: true },
    size: { enum: ['small', 'large'], default: 'small' },
    tags: { type: 'array', items: { type: 'string' }, default: ['new'] },
  },
};

const side = (name: string) => async (page: Page) => {
  await page.getByRole('radiogroup', { name: 'Run, history, versions or permissions' }).getByText(name, { exact: true }).click();
};

export function runPlaces(platform: Platform): readonly Place[] {
  const at = async (page: Page, name: string): Promise<Workbench> => {
    await page.goto(`${platform.url}/#/a/hello/functions/${name}`);
    const bench = new Workbench(page);
    await bench.opened(name);
    return bench;
  };
  const tab = (name: string, ready: (page: Page) => Promise<unknown>): Place => ({
    name: `run-${name.toLowerCase()}`,
    go: async (page) => {
      await page.getByRole('dialog').getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      await ready(page);
    },
  });
  return [
    {
      name: 'run-form',
      go: async (page) => {
        const folder = await folderOf(platform, 'hello');
        mkdirSync(join(folder, 'functions/denied'), { recursive: true });
        writeFileSync(join(folder, 'functions/denied/manifest.json'), JSON.stringify({ runtime: 'js-v1', parameters, permissions: { fetch: ['https://api.example.invalid/v2'] } }, null, 2));
        writeFileSync(join(folder, 'functions/denied/index.js'), denied);
        await expect.poll(async () => (await platform.api<{ functions: { name: string; version: number }[] }>('GET', '/api/local/agents/hello/functions')).functions.some((f) => f.name === 'denied' && f.version > 0)).toBe(true);
        await at(page, 'denied');
        await page.getByRole('group', { name: 'Parameters' }).getByRole('textbox', { name: 'name' }).waitFor();
      },
    },
    {
      name: 'run-denied',
      go: async (page) => {
        await new Workbench(page).runs('error');
        await page.getByRole('region', { name: /^Why .* was denied$/ }).waitFor();
      },
    },
    {
      name: 'run-ten',
      go: async (page) => {
        await (await at(page, 'shop')).more('Run ×10');
        await page.getByText('10 of 10').waitFor();
      },
    },
    { name: 'least-privilege', go: async (page) => side('Permissions')(page).then(() => page.getByRole('button', { name: 'Take away what was never used' }).waitFor()) },
    { name: 'versions', go: async (page) => side('Versions')(page).then(() => page.getByRole('list', { name: 'Versions of shop' }).waitFor()) },
    {
      name: 'run-details',
      go: async (page) => {
        await side('History')(page);
        await page.getByRole('listbox', { name: /^History of/ }).getByRole('option').first().click();
        await page.getByRole('dialog').getByRole('list', { name: 'What shop did' }).waitFor();
        await page.getByRole('dialog').getByRole('button', { name: /^kv\.put,/ }).first().click();
      },
    },
    tab('Permissions', (page) => page.getByRole('dialog').getByRole('tabpanel').waitFor()),
    tab('Quotas', (page) => page.getByRole('dialog').getByRole('tabpanel').waitFor()),
    tab('Source', (page) => page.getByRole('dialog').locator('.view-line').first().waitFor()),
    {
      ...tab('Compare', (page) => page.getByRole('region', { name: 'Trace compared' }).waitFor()),
      leave: async (page) => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await side('Run')(page);
      },
    },
    {
      name: 'manifest-form',
      go: async (page) => {
        await page.getByRole('tab', { name: 'manifest.json' }).click();
        await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
        await page.getByRole('group', { name: 'Parameters' }).first().waitFor();
      },
      leave: (page) => page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('JSON').click(),
    },
  ];
}
