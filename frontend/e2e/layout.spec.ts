import { expect, test } from './fixtures';
import { fill } from './places';
import { runPlaces } from './runplaces';

// What stands where, in places that everyplace.spec.ts only looks over.

test.describe('narrow', () => {
  test.use({ viewport: { width: 900, height: 640 } });

  test('Save stands beside the names of the texts, and the form of the manifest fits', async ({ hello, console: page }) => {
    const beside = async () => {
      const [tab, save] = await Promise.all([hello.tab(/^index\.js/).boundingBox(), page.getByRole('button', { name: 'Save', exact: true }).boundingBox()]);
      return Math.abs(tab!.y + tab!.height / 2 - save!.y - save!.height / 2);
    };
    await hello.type('export default () => 1;');
    await expect(hello.state('unsaved')).toBeVisible();
    expect(await beside()).toBeLessThan(4);
    await hello.tab('manifest.json').click();
    await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
    expect(await beside()).toBeLessThan(4);
    const parameters = page.getByRole('group', { name: 'Parameters' }).first();
    await expect(parameters).toBeVisible();
    expect(await parameters.evaluate((el) => el.scrollWidth - el.clientWidth)).toBeLessThanOrEqual(0);
  });
});

test('fields of a form end at one edge, and stand above what goes beside their names', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  await runPlaces(platform)[0]!.go(page);
  const form = page.getByRole('group', { name: 'Parameters' });
  const ends = await form.locator('> * input[type=text], > * input:not([type])').evaluateAll((all) => all.filter((el) => !el.closest('fieldset') && el.checkVisibility()).map((el) => Math.round(el.getBoundingClientRect().right)));
  expect(ends.length).toBeGreaterThan(3);
  expect(new Set(ends).size).toBe(1);
});

test('every time of a waterfall can be read to its end', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await hello.runs();
  await page.getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('list', { name: 'What greet did' }).waitFor();
  const cut = () => dialog.locator('[data-axis]').evaluate((axis) => [...axis.children].filter((tick) => tick.getBoundingClientRect().right > axis.getBoundingClientRect().right + 1).map((tick) => tick.textContent));
  expect(await cut()).toEqual([]);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  expect(await cut()).toEqual([]);
});
