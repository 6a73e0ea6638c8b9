import { expect, test } from './fixtures';

test('the API document is read, copied and leads to running a function', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill('API document');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const invoke = page.getByRole('button', { name: /POST .*functions\/greet\/invoke/ });
  await invoke.waitFor();
  // The shortcut of filters leads to the search.
  await page.getByRole('main').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('post visits');
  await expect(invoke).toHaveCount(0);
  await expect(page.getByRole('button', { name: /functions\/visits\/invoke/ })).toBeVisible();
  await page.keyboard.type(' nowhere');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await invoke.click();
  await expect(page.getByRole('rowheader', { name: /^name/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Copy URL' }).click();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(url).toBe(`${platform.url}/api/agents/hello/functions/openapi.json`);
  const served = await platform.api<{ openapi: string }>('GET', new URL(url).pathname);
  expect(served.openapi).toMatch(/^3\.1/);
  await page.getByText('Raw', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'OpenAPI document' })).toContainText(`"openapi": "${served.openapi}"`);
  await page.getByText('Readable', { exact: true }).click();
  // What changes shows without asking.
  await platform.api('POST', '/api/agents/hello/functions', { name: 'fresh', manifest: { runtime: 'js-v1' }, source: 'export default () => 1' });
  await expect(page.getByRole('button', { name: /functions\/fresh\/invoke/ })).toBeVisible();
  await invoke.click();
  await page.getByRole('button', { name: 'Run greet' }).click();
  await hello.opened('greet');
});
