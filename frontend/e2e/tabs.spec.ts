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
