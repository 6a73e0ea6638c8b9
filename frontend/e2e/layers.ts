import type { Page } from '@playwright/test';
import type { Place } from './places';
import type { Platform } from './platform';

// What lies over a place: menus, lists to choose from, questions, hints. The page
// shows the hello sample after fill().

type Step = (page: Page) => Promise<unknown>;

const gone = (role: 'menu' | 'listbox' | 'dialog') => async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole(role).last().waitFor({ state: 'hidden' });
};

const press = (name: string | RegExp, exact = false): Step => (page) => page.getByRole('button', { name, exact }).first().click();

export function layers(platform: Platform): readonly Place[] {
  const at = (address: string): Step => async (page) => {
    await page.goto(`${platform.url}/#${address}`);
  };
  const menu = (name: string, address: string, ...steps: Step[]): Place => ({
    name: `menu-${name}`,
    go: async (page) => {
      for (const step of [at(address), ...steps]) await step(page);
      await page.getByRole('menuitem').first().waitFor();
    },
    leave: gone('menu'),
  });
  const list = (name: string, address: string, field: string | RegExp, ...steps: Step[]): Place => ({
    name: `list-${name}`,
    go: async (page) => {
      for (const step of [at(address), ...steps]) await step(page);
      await page.getByRole('textbox', { name: field }).or(page.getByRole('combobox', { name: field })).first().click();
      await page.getByRole('listbox').last().getByRole('option').first().waitFor();
    },
    leave: gone('listbox'),
  });
  const question = (name: string, address: string, ...steps: Step[]): Place => ({
    name: `ask-${name}`,
    go: async (page) => {
      for (const step of [at(address), ...steps]) await step(page);
      await page.getByRole('dialog').waitFor();
    },
    leave: gone('dialog'),
  });
  const greet = '/a/hello/functions/greet';
  const form: Step = async (page) => {
    await page.getByRole('tab', { name: 'manifest.json' }).click();
    await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
  };
  return [
    menu('agents', '/', press(/^Agent hello/)),
    menu('theme', '/', press('Theme')),
    menu('clock', greet, press('Clock: live, change')),
    menu('run', greet, press('More ways to run')),
    menu('saved-calls', greet, press(/^Saved/)),
    menu('compare', greet, press('Compare and format')),
    menu('saved-client', '/a/hello/client', press('More for an order of kiwis')),
    menu('token', '/payments', press(/^More for token/)),
    menu('data', '/a/hello/data/kv', press('More', true)),
    list('caller', greet, 'Caller'),
    list('language', greet, 'lang'),
    list('kind', greet, /^Type of name/, form),
    list('method', '/a/hello/client', 'Method'),
    list('ledger', '/payments/ledger', 'Kind'),
    list('keep', '/settings', 'Language'),
    question('remove-function', greet, press('Remove greet')),
    question('clock', greet, press('Clock: live, change'), (page) => page.getByRole('menuitem', { name: 'Another moment…' }).click()),
    {
      ...list('clock-zone', greet, 'Time zone', press('Clock: live, change'), (page) => page.getByRole('menuitem', { name: 'Another moment…' }).click()),
      leave: async (page) => {
        await gone('listbox')(page);
        await gone('dialog')(page);
      },
    },
    question('new-function', greet, press('New function')),
    question('save-call', greet, press(/^Saved/), (page) => page.getByRole('menuitem', { name: 'Save this call…' }).click()),
    question('remove-schedule', '/a/hello/schedules', press('Remove night')),
    question('remove-secret', '/a/hello/secrets', press('Remove SHOP_KEY of shop')),
    question('add-secret', '/a/hello/secrets', press('Add a secret')),
    question('rename-call', '/a/hello/client', press('More for an order of kiwis'), (page) => page.getByRole('menuitem', { name: 'Rename…' }).click()),
    question('remove-call', '/a/hello/client', press('More for an order of kiwis'), (page) => page.getByRole('menuitem', { name: 'Delete…' }).click()),
    question('revoke-token', '/payments', press(/^More for token/), (page) => page.getByRole('menuitem', { name: 'Revoke' }).click()),
    question('lock', '/payments', press('Lock', true)),
    question('remove-content', '/a/hello/data/content', (page) => page.getByRole('option', { name: /figs\.txt/ }).click(), press('Delete', true)),
    {
      name: 'ask-remove-key',
      go: async (page) => {
        await at('/a/hello/data/kv')(page);
        await page.getByRole('option', { name: /orders:apples/ }).click();
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByText('for good?').waitFor();
      },
      leave: (page) => page.getByRole('button', { name: 'Keep it' }).click(),
    },
    {
      name: 'ask-run',
      go: async (page) => {
        const { invocations } = await platform.api<{ invocations: { id: string; status: string }[] }>('GET', '/api/local/invocations');
        await at(`/runs/${invocations.find((i) => i.status === 'error')!.id}`)(page);
        await page.getByRole('tab', { name: 'Raw' }).waitFor();
      },
      leave: gone('dialog'),
    },
    question('visitor', '/settings', press('Add a visitor')),
    question('filter-help', '/activity', press('What a filter can say')),
    {
      name: 'hint',
      go: async (page) => {
        await at('/')(page);
        await page.getByRole('button', { name: 'Keyboard shortcuts' }).hover();
        await page.getByRole('tooltip').waitFor();
      },
      leave: (page) => page.mouse.move(720, 500),
    },
    {
      name: 'palette-functions',
      go: async (page) => {
        await page.keyboard.press('Control+P');
        await page.getByRole('textbox', { name: 'Search' }).waitFor();
      },
      leave: gone('dialog'),
    },
  ];
}
