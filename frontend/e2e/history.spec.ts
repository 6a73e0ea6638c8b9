import { expect, test } from './fixtures';

test('runs of others show live, and their details hold everything', async ({ hello, console: page, platform }) => {
  await hello.open('visits');
  const list = await hello.history();
  await expect(list.getByRole('option')).toHaveCount(1); // the declaration
  for (let i = 0; i < 3; i++) await platform.api('POST', '/api/agents/hello/functions/visits/invoke', { args: { visitor: `v${i}` } });
  await expect(list.getByRole('option')).toHaveCount(4);

  await list.getByRole('option').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('visits').first()).toBeVisible();
  await drawer.getByRole('tab', { name: 'Input' }).click();
  await expect(drawer.getByRole('region', { name: 'Input' })).toContainText('"visitor": "v2"');
  await drawer.getByRole('tab', { name: 'Events 2' }).click();
  await expect(drawer.getByRole('list', { name: 'Events' })).toContainText('visit.counted');
  await drawer.getByRole('tab', { name: 'Logs 2' }).click();
  await expect(drawer.getByRole('list', { name: 'Logs' })).toContainText('GREETING_SIGNATURE is not set');
  await drawer.getByRole('tab', { name: /^Waterfall/ }).click();
  const trace = drawer.getByRole('list', { name: 'What visits did' });
  await expect(trace).toContainText('kv.get');
  await expect(trace).toContainText('kv.put');
  await expect(trace).toContainText('secrets.get');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
});

test('a long history is read page by page and keeps its place', async ({ hello, console: page, platform }) => {
  await hello.open('visits');
  for (let i = 0; i < 120; i++) await platform.api('POST', '/api/agents/hello/functions/visits/invoke', { args: {} });
  await page.reload();
  await hello.opened('visits');
  const list = await hello.history();
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', /^(5\d|6\d)$/);
  await list.getByRole('option').first().focus();
  await page.keyboard.press('End');
  await expect(list.getByRole('option').last()).toHaveAttribute('aria-setsize', '100');
  await page.keyboard.press('End');
  await expect(list.getByRole('option').last()).toHaveAttribute('aria-setsize', '121');
  await page.keyboard.press('End');
  await expect(list.getByRole('option', { name: /^declare/ })).toBeVisible();

  // What is being read stays where it is when something new arrives.
  const reading = list.getByRole('option', { name: /^declare/ });
  const before = await reading.boundingBox();
  await platform.api('POST', '/api/agents/hello/functions/visits/invoke', { args: {} });
  await expect(reading).toHaveAttribute('aria-setsize', '122');
  expect((await reading.boundingBox())!.y).toBeCloseTo(before!.y, 0);
});

test('the activity band shows what runs, from the keyboard', async ({ hello, console: page, platform }) => {
  await page.keyboard.press('Control+J');
  const list = page.getByRole('listbox', { name: 'Invocations' });
  await platform.api('POST', '/api/agents/hello/functions/visits/invoke', { args: {} });
  await expect(list.getByRole('option', { name: /^visits, ok/ })).toBeVisible();
  await hello.runs();
  await expect(list.getByRole('option').first()).toHaveAccessibleName(/^greet, ok/);
  await list.getByRole('option').first().focus();
  await page.keyboard.press('j');
  await expect(list.getByRole('option').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText('visits').first()).toBeVisible();
});
