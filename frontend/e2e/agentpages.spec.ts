import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Frame, Page } from '@playwright/test';
import { attack, dresses, marker, writeHostileProject, type Tried } from './agentpage';
import { expect, test as base } from './fixtures';
import { Platform } from './platform';

// An agent's own page is the worst of the hostile pages: the platform itself
// serves it, on its own port. One platform serves for the whole file.
const test = base.extend<{ owner: Page }, { shared: Platform; outside: string }>({
  shared: [
    async ({}, use) => {
      const platform = await Platform.start();
      const folder = join(platform.home, 'mallory');
      mkdirSync(folder);
      writeHostileProject(folder);
      await platform.api('POST', '/api/local/projects', { path: folder });
      await use(platform);
      await platform.dispose();
    },
    { scope: 'worker' },
  ],

  /** The address of another program on this machine, whose pages are empty. */
  outside: [
    async ({}, use) => {
      const server: Server = createServer((_, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>outside</title><body>'));
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],

  /** The console, signed in; the same session counts on localhost, and leaked to the agent's own name. */
  owner: async ({ shared, page, context }, use) => {
    const { code } = await shared.api<{ code: string }>('POST', '/api/local/login-code');
    await page.goto(`${shared.url}/#login=${code}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate((m) => localStorage.setItem('mark', m), marker);
    const session = (await context.cookies(shared.url)).find((c) => c.name.startsWith('benchtop_session_'))!;
    await context.addCookies(['localhost', 'mallory.localhost'].map((domain) => ({ ...session, domain })));
    await use(page);
  },
});

/** Everything that a page acting as the owner would change. */
async function state(platform: Platform): Promise<unknown> {
  const paths = [
    '/api/agents',
    '/api/local/projects',
    '/api/local/agents/mallory/secrets',
    '/api/agents/mallory/functions/target/invocations',
    '/api/local/admin-key',
    '/api/local/tokens',
  ];
  return Promise.all(paths.map((p) => platform.api('GET', p)));
}

/** Opens a page of the agent's by an address, or by a form that posts to it: browsers are sent on from the first alone. */
async function open(page: Page, address: string, how: 'go' | 'post'): Promise<Frame> {
  if (how === 'go') await page.goto(address);
  else await postTo(page.mainFrame(), address, '_self');
  return loaded(() => page.mainFrame());
}

async function postTo(frame: Frame, address: string, target: string): Promise<void> {
  await frame.evaluate(
    ([action, name]) => {
      const form = Object.assign(document.createElement('form'), { method: 'POST', action, target: name });
      document.body.append(form);
      form.submit();
    },
    [address, target] as const,
  );
}

/** Waits until attack.js is there. */
async function loaded(find: () => Frame | undefined): Promise<Frame> {
  await expect
    .poll(async () => find()?.evaluate(() => typeof (globalThis as { attack?: unknown }).attack).catch(() => ''))
    .toBe('function');
  return find()!;
}

const run = (frame: Frame, urls: string[]): Promise<Tried> =>
  frame.evaluate((u) => (globalThis as unknown as { attack: typeof attack }).attack(u), urls);

/** Holds what a page could read against what it may: nothing but what anybody may. */
function expectPowerless(tried: Tried): void {
  expect(tried.control).toContain('anybody may read this'); // the attempts do run
  for (const [name, got] of Object.entries(tried)) {
    expect(got, name).not.toContain(marker);
    if (name === 'control' || name.startsWith('beacon ')) continue; // a beacon has no answer: the state tells
    if (/cookie/.test(name)) expect(got, name).toMatch(/^(refused: .*|cookie: )$/s);
    else if (name === 'storage') expect(got, name).toMatch(/^(refused: .*|storage: \{\})$/s);
    else if (/ blindly /.test(name)) expect(got, name).toMatch(/^(0 opaque |refused: .*|4\d\d .*)$/s);
    // What a page of the agent's own name can see there is a refusal.
    else if (/^(form|window|frame) .*mallory\.localhost/.test(name)) expect(got, name).toMatch(/^(refused: |(framed|window): .*"code":"(unauthorized|forbidden|not_found|method_not_allowed)")/is);
    else expect(got, name).toMatch(/^(refused: |4\d\d )/);
  }
}

async function stillOwner(owner: Page, context: BrowserContext, platform: Platform): Promise<void> {
  for (const sw of context.serviceWorkers()) expect(new URL(sw.url()).hostname).toBe('mallory.localhost');
  const who = await owner.evaluate(async () => {
    const r = await fetch('/api/agents', { credentials: 'include' });
    return `${r.status} ${await r.text()}`;
  });
  expect(who).toMatch(new RegExp(`^200 .*${marker}`, 's')); // what the pages sought is there to be read
  const names = (await context.cookies([platform.url, platform.url.replace('127.0.0.1', 'localhost')])).map((c) => c.name);
  expect(names.filter((n) => n === 'benchtop_session_x')).toEqual([]);
}

const hosts = ['127.0.0.1', 'localhost', 'mallory.localhost'];
const urlsOf = (platform: Platform) => hosts.map((h) => `http://${h}:${platform.port}`);

for (const host of hosts) {
  for (const how of ['go', 'post'] as const) {
    test(`a page of an agent on ${host}, ${how === 'go' ? 'gone' : 'posted'} to, cannot act as the owner`, async ({ owner, shared, outside, context }) => {
      const before = await state(shared);
      // Whoever goes to a page ends on the agent's own name; what is posted to stays, and its type may matter.
      for (const dress of how === 'post' && host !== 'mallory.localhost' ? dresses : dresses.slice(0, 1)) {
        // The console is the opener: pages that it opens must not reach back.
        const [page] = await Promise.all([context.waitForEvent('page'), owner.evaluate((u) => void window.open(u), outside)]);
        await page.waitForLoadState();
        const frame = await open(page, `http://${host}:${shared.port}/mallory/${dress}`, how);
        expect(new URL(frame.url()).hostname).toBe(how === 'go' ? 'mallory.localhost' : host);
        expectPowerless(await run(frame, urlsOf(shared)));
        await stillOwner(owner, context, shared);
        await page.close();
      }
      expect(await state(shared)).toEqual(before);
    });

    test(`framed by another program and ${how === 'go' ? 'gone' : 'posted'} to on ${host}, neither`, async ({ owner, shared, outside, context }) => {
      const before = await state(shared);
      const page = await context.newPage();
      await page.goto(outside);
      await page.evaluate(() => document.body.append(Object.assign(document.createElement('iframe'), { name: 'agent' })));
      const address = `http://${host}:${shared.port}/mallory/html`;
      if (how === 'go') await page.evaluate((u) => (document.querySelector('iframe')!.src = u), address);
      else await postTo(page.mainFrame(), address, 'agent');
      const frame = await loaded(() => page.frame({ name: 'agent' }) ?? undefined);
      expectPowerless(await run(frame, urlsOf(shared)));
      await stillOwner(owner, context, shared);
      expect(await state(shared)).toEqual(before);
    });
  }
}

test('what the pages try is what the owner can do', async ({ owner, shared }) => {
  const before = await state(shared);
  const read = await owner.evaluate(async () => {
    const post = async (path: string, body: object) =>
      (await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).status;
    const target = '/api/agents/mallory/functions/target';
    return [await post(`${target}/secret`, { binding: 'TOKEN', value: 'set' }), await post(`${target}/invoke`, { args: {} })];
  });
  expect(read).toEqual([200, 200]);
  expect(await state(shared)).not.toEqual(before);
});
