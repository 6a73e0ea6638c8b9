import { expect, test } from './fixtures';

const value = 'sk-never-shown-anywhere';

test('the key of an agent’s model is set and removed among its secrets', async ({ console: page, platform }) => {
  await platform.api('POST', '/api/agents', {
    name: 'Far',
    model: JSON.stringify({ base_url: 'http://127.0.0.1:9/v1', model: 'tiny', key_secret: 'MODEL_KEY' }),
  });
  await page.goto(`${platform.url}/#/a/far/secrets`);
  const row = page.getByRole('region', { name: 'the agent’s model' }).getByRole('listitem').filter({ hasText: 'MODEL_KEY' });
  await expect(row.getByText('not set')).toBeVisible();
  await row.getByRole('button', { name: 'Set MODEL_KEY of the agent’s model' }).click();
  await page.getByLabel('Value of MODEL_KEY').fill(value);
  await page.keyboard.press('Enter');
  await expect(row.getByText('set', { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(value);
  await row.getByRole('button', { name: 'Remove MODEL_KEY of the agent’s model' }).click();
  await expect(page.getByRole('dialog')).toContainText('The model cannot answer without it.');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row.getByText('not set')).toBeVisible();
});
