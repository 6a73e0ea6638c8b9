import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { editOutside, folderOf } from './disk';
import { expect, test as base } from './fixtures';
import { Workbench } from './pages/Workbench';
import { Platform } from './platform';

const source = `export default async (ctx) => {
  const { items } = ctx.toolCall.params;
  return { total: items.length * 4 };
};
`;

/** A platform whose history holds 100,000 runs. One of them, in the middle, is a real one of price that failed. */
const test = base.extend<{ busy: Platform }>({
  busy: async ({}, use) => {
    const data = mkdtempSync(join(tmpdir(), 'benchtop-e2e-data-'));
    const first = await Platform.start({ data });
    let second: Platform | undefined;
    try {
      await first.api('PUT', '/api/local/settings', { historyRows: 200_000 });
      await first.api('POST', '/api/local/projects', { sample: 'hello' });
      const folder = join(await folderOf(first, 'hello'), 'functions/price');
      mkdirSync(folder);
      writeFileSync(join(folder, 'manifest.json'), '{"runtime": "js-v1", "description": "What an order costs"}\n');
      writeFileSync(join(folder, 'index.js'), source);
      const served = async () => (await first.api<{ functions: { name: string }[] }>('GET', '/api/agents/hello/functions')).functions.map((f) => f.name);
      await expect.poll(served).toContain('price');
      const { invocationId } = await first.api<{ invocationId: string }>('POST', '/api/agents/hello/functions/price/invoke', { args: { order: 'A-1017', items: null } });
      const run = await first.api<{ agent_id: string; started_at: string; error_code: string }>('GET', `/api/local/invocations/${invocationId}`);
      expect(run.error_code).toBe('JS_RUNTIME_ERROR');
      await first.stop();
      execFileSync('go', ['run', './frontend/e2e/manyruns', '-data', data, '-agent', run.agent_id, '-around', run.started_at], {
        cwd: resolve(import.meta.dirname, '../..'),
        // The program itself is built like this: most of it is in the build cache.
        env: { ...process.env, CGO_ENABLED: '0' },
        stdio: 'inherit',
      });
      second = await Platform.start({ data });
      await use(second);
    } finally {
      await second?.dispose();
      await first.dispose();
      rmSync(data, { recursive: true, force: true });
    }
  },
});

test('a run that failed is found among 100,000, seen, made again and mended', { tag: '@journey' }, async ({ busy, page }) => {
  await page.goto(busy.loginUrl);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+4');
  const rows = page.getByRole('list', { name: 'Activity' }).locator('button[data-row]');
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await expect(rows.first()).toBeVisible();

  // By what is known, a word at a time: it failed, it was about prices, and it was not too slow.
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();
  await page.keyboard.type('status:error');
  await expect(rows.first()).toHaveAccessibleName(/WALL_TIMEOUT|PERMISSION_DENIED/);
  await expect(page.getByRole('button', { name: /, ok, / })).toHaveCount(0);
  await page.keyboard.type(' fn:price');
  await expect(page.getByRole('button', { name: /^greet, / })).toHaveCount(0);
  await expect(rows.first()).toHaveAccessibleName(/^price, error, WALL_TIMEOUT/);
  await page.keyboard.type(' -code:WALL_*');
  await expect(page.getByText('1 row, to the beginning')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName(/^price, error, JS_RUNTIME_ERROR/);

  // What it was given, and where it broke.
  await rows.click();
  await page.getByRole('tab', { name: 'Input' }).click();
  await expect(page.getByRole('region', { name: 'Input' })).toContainText('A-1017');
  await expect(page.getByText('functions/price/index.js:3:')).toBeVisible();
  await page.getByRole('button', { name: 'All details' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit the input and run' }).click();

  // The same input fails again; mended, it does not.
  const bench = new Workbench(page);
  await bench.opened('price');
  await expect(bench.args).toHaveValue(/"items": null/);
  await bench.runs('error');
  await page.getByRole('button', { name: /index\.js:3:/ }).click();
  await expect(bench.editor.locator('.line-numbers.active-line-number')).toHaveText('3');
  editOutside(join(await folderOf(busy, 'hello'), 'functions/price/index.js'), (t) => t.replace('items.length', '(items ?? []).length'));
  await expect(bench.state('saved v2')).toBeVisible();
  await bench.runs();
  await expect(bench.result).toContainText('"total": 0');
});
