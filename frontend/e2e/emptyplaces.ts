import type { Page } from '@playwright/test';
import type { Place } from './places';

// Every place with nothing in it. The page shows an agent that has no function.

const at = (name: string, keys: string, heading: string | RegExp): Place => ({
  name: `${name}-empty`,
  go: async (page) => {
    await page.keyboard.press(keys);
    await page.getByRole('heading', { name: heading }).waitFor();
  },
});

const tab = (name: string, label: string, heading: string | RegExp): Place => ({
  name: `${name}-empty`,
  go: async (page) => {
    await page.getByRole('tab', { name: label }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
  },
});

const noteOf = async (page: Page) => {
  await page.getByRole('button', { name: /^Inbox/ }).click();
  await page.getByRole('dialog').waitFor();
};

export const emptyPlaces: readonly Place[] = [
  at('functions', 'Control+2', 'No functions yet'),
  {
    name: 'functions-new',
    go: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'New function' }).last().click();
      await page.getByRole('dialog').waitFor();
    },
    leave: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'client-empty',
    go: async (page) => {
      await page.keyboard.press('Control+3');
      await page.getByRole('textbox', { name: 'Path' }).waitFor();
    },
  },
  tab('client-chat', 'Chat', /does not speak Chat/),
  at('activity', 'Control+4', 'Nothing has happened yet'),
  at('schedules', 'Control+5', 'No schedule uses a function'),
  {
    name: 'payments-empty',
    go: async (page) => {
      await page.keyboard.press('Control+6');
      await page.getByText('Nobody has locked credits').waitFor();
    },
  },
  at('data', 'Control+7', 'No function keeps anything yet'),
  tab('data-content', 'Content', 'No content yet'),
  tab('data-folders', 'Folders', 'No function binds a folder'),
  at('secrets', 'Control+8', 'No function asks for a secret'),
  {
    name: 'inbox-empty',
    go: noteOf,
    leave: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
];
