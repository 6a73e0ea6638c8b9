import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf } from './disk';
import { expect, test, watch } from './fixtures';

// A browser opens six connections to a host, in all of its tabs together.

test('more tabs than a browser has connections all work, and all hear what happens', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const tabs = [page];
  const faults: string[][] = [];
  for (let n = 2; n <= 7; n++) {
    const tab = await page.context().newPage();
    faults.push(watch(tab));
    await tab.goto(platform.url);
    await expect(tab.getByRole('button', { name: /^Live/ })).toBeVisible();
    tabs.push(tab);
  }
  const last = tabs.at(-1)!;
  await last.keyboard.press('Control+4');
  const invoke = (name: string) => platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name } });
  await invoke('Ada');
  const rows = last.getByRole('list', { name: 'Activity' }).locator('button[data-row]').filter({ hasText: 'greet' }).filter({ hasText: 'ok' });
  await expect(rows).toHaveCount(1);
  // The tab that has the connection goes: the others go on.
  await page.close();
  await expect(last.getByRole('button', { name: /^Live/ })).toBeVisible();
  await invoke('Bob');
  await expect(rows).toHaveCount(2);
  expect(faults.flat()).toEqual([]);
});

test('requests that last leave the page its connections, in all tabs together', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'));
  writeFileSync(join(folder, 'endpoints/live.js'), 'export default async (ctx) => {\n  await ctx.socket.accept();\n  for await (const m of ctx.socket) await ctx.socket.send(m);\n};\n');
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace(/\n---\n/, '\nendpoints:\n  - { path: /live, websocket: true, handler: endpoints/live.js }\n---\n'));
  await page.keyboard.press('Control+3');
  const answer = (tab: typeof page) => tab.getByRole('region', { name: 'Answer', exact: true });
  const connect = async (tab: typeof page, said: string) => {
    await tab.bringToFront(); // one that is not in front is painted late, which a click waits for
    await tab.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'WS /live' }).click();
    await tab.getByRole('button', { name: 'Connect' }).click();
    await expect(answer(tab)).toContainText(said);
  };
  const tabs = [page];
  for (let n = 1; n < 4; n++) {
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    tabs.push(tab);
  }
  for (const tab of tabs.slice(0, 3)) await connect(tab, 'open');
  const last = tabs[3]!;
  await connect(last, '3 requests of this browser are under way, some of them in other tabs.');
  // The page goes on meanwhile, and so does a request once a place is free.
  await last.keyboard.press('Control+4');
  await expect(last.getByRole('list', { name: 'Activity' })).toBeVisible();
  await last.keyboard.press('Control+3');
  await page.bringToFront();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(answer(page)).toContainText('closed');
  await connect(last, 'open');
});
