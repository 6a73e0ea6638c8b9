import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { editOutside, folderOf } from './disk';
import type { Platform } from './platform';

// Every place with something in it, to be measured and looked at. The page has
// the hello sample open.

/** A place, how one gets there, and when it is there. */
export interface Place {
  name: string;
  go: (page: Page) => Promise<void>;
  /** Closes what the next place must not see. */
  leave?: (page: Page) => Promise<void>;
}

const key = (keys: string, ready: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.keyboard.press(keys);
  await ready(page);
};

const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

export const places: readonly Place[] = [
  {
    name: 'client',
    go: key('Control+3', async (page) => {
      await page.getByRole('button', { name: 'POST /orders/' }).click();
      await page.getByRole('textbox', { name: 'Path' }).fill('/hello/orders/7');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByTestId('sent-request').waitFor();
      await page.getByRole('region', { name: 'Body of the answer' }).waitFor();
    }),
  },
  {
    name: 'client-sign',
    go: async (page) => {
      await page.getByRole('button', { name: 'Sign', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign it' }).waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'client-saved',
    go: async (page) => {
      await page.getByTestId('saved-call').filter({ hasText: 'Broken:' }).waitFor();
      await page.getByRole('button', { name: /WS talk/ }).click();
      await page.getByRole('list', { name: 'Saved messages' }).waitFor();
    },
  },
  {
    name: 'client-save',
    go: async (page) => {
      await page.getByRole('button', { name: 'Save…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Replace it' }).waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'client-chat',
    go: async (page) => {
      await page.getByRole('tab', { name: 'Chat' }).click();
      await page.getByRole('textbox', { name: 'What you say' }).fill('/tool order {"text": "kiwis"}');
      await page.getByRole('textbox', { name: 'What you say' }).press('Enter');
      await page.getByTestId('usage').waitFor();
    },
  },
  {
    name: 'client-chat-events',
    go: async (page) => {
      await page.getByRole('button', { name: /^Events/ }).click();
      await page.getByTestId('wire-row').last().click();
      await page.getByRole('region', { name: /^Event / }).waitFor();
    },
  },
  {
    name: 'client-a2a',
    go: async (page) => {
      await page.getByRole('tab', { name: 'A2A' }).click();
      await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Hello');
      await page.getByRole('textbox', { name: 'Message to the agent' }).press('Enter');
      await page.getByTestId('a2a-answer').waitFor();
    },
  },
  {
    name: 'client-uamp',
    go: async (page) => {
      await page.getByRole('tab', { name: 'UAMP' }).click();
      await page.getByRole('button', { name: 'Open a session' }).click();
      await page.getByRole('option', { name: 'received session.created' }).waitFor();
    },
  },
  {
    name: 'client-sse',
    go: async (page) => {
      await page.getByRole('tab', { name: 'SSE' }).click();
      await page.getByText('Not listening').waitFor();
    },
  },
  {
    name: 'activity',
    go: key('Control+4', async (page) => {
      await page.getByRole('textbox', { name: 'Filter' }).waitFor();
      await page.locator('button[data-row]').nth(5).waitFor();
    }),
  },
  {
    name: 'activity-problem',
    go: async (page) => {
      await page.getByRole('textbox', { name: 'Filter' }).fill('colour:red');
      await page.getByText('There is no colour: here').waitFor();
    },
  },
  {
    name: 'activity-open',
    go: async (page) => {
      await page.getByRole('textbox', { name: 'Filter' }).fill('fn:shop');
      await page.locator('button[data-row]', { hasText: 'nightly' }).first().waitFor({ state: 'detached' });
      await page.locator('button[data-row]', { hasText: 'plums' }).click();
      await page.getByRole('button', { name: 'All details' }).waitFor();
    },
  },
  {
    name: 'schedules',
    go: key('Control+5', async (page) => {
      await page.getByRole('heading', { name: /03:00/ }).waitFor();
    }),
  },
  {
    name: 'schedules-add',
    go: async (page) => {
      await page.getByRole('button', { name: 'Add a schedule' }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor(); // the runs that it would have
    },
    leave: closeDialog,
  },
  {
    name: 'payments',
    go: key('Control+6', async (page) => {
      await page.getByTestId('token').first().waitFor();
    }),
  },
  {
    name: 'payments-mint',
    go: async (page) => {
      await page.getByRole('button', { name: 'Mint a test token' }).click();
      await page.getByRole('dialog').getByLabel('Amount in dollars').waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'payments-locks',
    go: async (page) => {
      await page.getByRole('tab', { name: 'Locks' }).click();
      await page.getByTestId('lock').first().waitFor();
    },
  },
  {
    name: 'payments-ledger',
    go: async (page) => {
      await page.getByRole('tab', { name: 'Ledger' }).click();
      await page.getByTestId('entry').first().waitFor();
    },
  },
  {
    name: 'payments-simulator',
    go: async (page) => {
      await page.getByRole('tab', { name: 'Simulator' }).click();
      await page.getByRole('switch').first().waitFor();
    },
  },
  {
    name: 'docs',
    go: async (page) => {
      await page.getByRole('button', { name: 'Docs', exact: true }).click();
      await page.getByTestId('doc').getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'data',
    go: key('Control+7', async (page) => {
      await page.getByRole('option', { name: /orders:apples/ }).click();
      await page.getByRole('textbox', { name: 'Value' }).waitFor();
    }),
  },
  {
    name: 'data-import',
    go: async (page) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Import…' }).click();
      await page.getByRole('dialog').waitFor();
    },
    leave: async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'data-content',
    go: async (page) => {
      await page.getByRole('tab', { name: 'Content' }).click();
      await page.getByRole('option', { name: /figs\.txt/ }).click();
      await page.getByRole('region', { name: 'Preview of figs.txt' }).waitFor();
    },
  },
  {
    name: 'data-folders',
    go: async (page) => {
      await page.getByRole('tab', { name: 'Folders' }).click();
      await page.getByRole('option', { name: /readme\.txt/ }).click();
      await page.getByRole('region', { name: 'Preview of readme.txt' }).waitFor();
    },
  },
  {
    name: 'home-busy',
    go: key('Control+1', async (page) => {
      await page.getByRole('region', { name: 'How your functions do' }).waitFor();
    }),
  },
  {
    name: 'inbox',
    go: async (page) => {
      await page.getByRole('button', { name: /^Inbox/ }).click();
      await page.getByRole('dialog').getByText('Night report').waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'settings',
    go: key('Control+,', async (page) => {
      await page.getByText('No token counts.').waitFor();
      await page.getByRole('textbox', { name: /^Days to keep them/ }).waitFor();
    }),
  },
  {
    name: 'settings-token',
    go: async (page) => {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'secrets-by-name',
    go: key('Control+8', async (page) => {
      await page.getByText('By name').click();
      await page.getByRole('list', { name: 'Secrets by name' }).waitFor();
    }),
  },
  {
    name: 'secrets-paste',
    go: async (page) => {
      await page.getByRole('button', { name: 'Paste a .env' }).click();
      await page.getByRole('textbox', { name: 'Text of the file' }).fill('SHOP_KEY=1\nMAIL_KEY=2\nOTHER=3');
      await page.getByText('No function asks for OTHER').waitFor();
    },
    leave: closeDialog,
  },
  {
    name: 'openapi',
    go: async (page) => {
      await page.getByRole('button', { name: /^Agent hello/ }).click();
      await page.getByRole('menuitem', { name: /API document/ }).click();
      await page.getByRole('button', { name: /orders/ }).first().click();
      await page.getByRole('heading', { name: 'Answers' }).first().waitFor();
    },
  },
  {
    name: 'openapi-raw',
    go: async (page) => {
      await page.getByText('Raw', { exact: true }).click();
      await page.getByRole('region', { name: 'OpenAPI document' }).waitFor();
    },
  },
];

const source = `export default async function (ctx) {
  const { fail, text = 'note' } = ctx.toolCall?.params ?? {};
  ctx.log.info('shop looks', { text });
  await ctx.kv.put('orders:' + text, { text, items: [1, 2, 3], paid: true });
  await ctx.kv.put('session', { user: 'ada' }, { ttlSeconds: 3600 });
  await ctx.folders.box.write('readme.txt', 'Hello from ' + text);
  await ctx.content.put({ displayName: text + '.txt', mimeType: 'text/plain', data: 'A text about ' + text });
  ctx.emit('progress', { done: 1 });
  if (fail) throw new Error('the shelf ' + text + ' is empty');
  return { text };
}
`;

const manifest = {
  runtime: 'js-v1',
  description: 'Keeps orders',
  parameters: { type: 'object', properties: { text: { type: 'string', description: 'What it is about' }, fail: { type: 'boolean' } } },
  permissions: {
    kv: 'rw',
    content: { read: true, write: true },
    folders: [
      { alias: 'box', contentId: 'box-1', permissions: 'rw' },
      { alias: 'outside', path: '../elsewhere', permissions: 'ro' },
    ],
    secrets: ['SHOP_KEY', 'MAIL_KEY'],
    portal: ['notifyOwner'],
  },
};

const nightly = `export default async function (ctx) {
  await ctx.portal.notifyOwner({ title: 'Night report', body: '12 orders, 2 failed', severity: 'warning' });
  return 'done';
}
`;

/** Puts something into every place: a function with data, failures, schedules and messages. */
export async function fill(platform: Platform): Promise<void> {
  const folder = await folderOf(platform, 'hello');
  const write = (name: string, text: string, declared: unknown) => {
    mkdirSync(join(folder, 'functions', name), { recursive: true });
    writeFileSync(join(folder, 'functions', name, 'manifest.json'), JSON.stringify(declared, null, 2));
    writeFileSync(join(folder, 'functions', name, 'index.js'), text);
  };
  write('shop', source, manifest);
  write('nightly', nightly, { runtime: 'js-v1', permissions: { portal: ['notifyOwner'] } });
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace(/^---\n/, '---\ntransports: [completions, a2a, uamp]\n'));
  // Saved on disk like an author's files: the platform finds them by itself.
  const served = async (): Promise<string[]> => {
    const { functions } = await platform.api<{ functions: { name: string; version: number }[] }>('GET', '/api/local/agents/hello/functions');
    return functions.filter((f) => f.version > 0).map((f) => f.name);
  };
  await expect.poll(served).toEqual(expect.arrayContaining(['shop', 'nightly']));
  const attach = (skill: string, use: string, entry: unknown) => platform.api('POST', `/api/agents/hello/skills/${skill}/use`, { use, entry });
  await attach('cron', 'nightly', { id: 'night', cron: '0 3 * * *', description: 'The report of the night' });
  await attach('cron', 'shop', { id: 'often', cron: '*/15 9-17 * * 1-5' });
  await attach('cron', 'shop', { id: 'never', cron: '0 0 1 1 *', enabled: false });
  await attach('custom_tools', 'shop', { id: 'order', name: 'order', description: 'Takes an order' });
  await attach('custom_http', 'shop', { id: 'orders', method: 'POST', path: '/orders/:id', auth: 'public' });
  await platform.api('POST', '/api/local/agents/hello/schedules/night/run');
  for (const [text, fail] of [['apples', false], ['pears', false], ['plums', true], ['figs', false]] as const) {
    await platform.api('POST', '/api/agents/hello/functions/shop/invoke', { args: { text, fail } });
  }
  await platform.api('PUT', '/api/local/agents/hello/calls/client/an%20order%20of%20kiwis', { call: { tab: 'http', method: 'POST', path: '/{agent}/orders/{id}', headers: [{ name: 'Authorization', value: 'kept out' }], body: '{"text": "kiwis"}', caller: { kind: 'owner' } } });
  await platform.api('PUT', '/api/local/agents/hello/calls/client/talk', { call: { tab: 'websocket', path: '/{agent}/live', caller: { kind: 'owner' }, messages: ['{"type": "hello"}', 'a second one'] } });
  writeFileSync(join(folder, '.benchtop/calls/client/half.json'), '{\n  "tab": "http",\n');
  const { info } = await platform.api<{ info: { id: string } }>('POST', '/api/local/payments/mint', { amount: 5, description: 'A buyer' });
  await platform.api('POST', '/api/payments/lock', { tokenId: info.id, amount: 0.25, agent: 'hello', reason: 'an order' });
  await platform.api('POST', '/api/agents/hello/functions/shop/secret', { binding: 'SHOP_KEY', value: 'kept' });
}
