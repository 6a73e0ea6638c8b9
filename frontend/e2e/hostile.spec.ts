import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures';

/** A page somebody else serves on this machine. Browsers count it as the same site: ports do not part sites. */
const page = `<!doctype html><title>hostile</title><iframe name="f"></iframe><script>
async function attack(url) {
  const tried = {};
  const attempt = async (name, run) => { try { tried[name] = await run(); } catch (e) { tried[name] = 'refused: ' + e.name; } };
  const body = JSON.stringify({ sample: 'hello' });
  await attempt('read', async () => (await fetch(url + '/api/agents', { credentials: 'include' })).text());
  await attempt('blindPost', async () => (await fetch(url + '/api/local/projects', { method: 'POST', mode: 'no-cors', credentials: 'include', body })).type);
  await attempt('jsonPost', async () => (await fetch(url + '/api/local/projects', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body })).status);
  await attempt('textPost', async () => (await fetch(url + '/api/local/projects', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'text/plain' }, body })).status);
  await attempt('events', async () => (await fetch(url + '/api/local/events', { credentials: 'include' })).status);
  await attempt('boot', async () => (await fetch(url + '/boot.json', { credentials: 'include' })).text());
  await attempt('form', () => new Promise((done) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: url + '/api/local/projects', enctype: 'text/plain', target: 'f' });
    const input = document.createElement('input');
    Object.assign(input, { name: '{"sample":"hello","x":"', value: '"}' });
    form.append(input); document.body.append(form);
    document.querySelector('iframe').addEventListener('load', () => done('sent'), { once: true });
    form.submit();
  }));
  return tried;
}
</script>`;

async function serve(): Promise<{ server: Server; port: number }> {
  const server = createServer((_, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, port: (server.address() as AddressInfo).port };
}

for (const host of ['127.0.0.1', 'localhost', 'hello.localhost']) {
  test(`a page of ${host} cannot act as the owner`, async ({ console: owner, platform, context }) => {
    const { server, port } = await serve();
    const hostile = await context.newPage();
    try {
      const cookies = await context.cookies(platform.url);
      expect(cookies.length).toBeGreaterThan(0); // the owner is signed in, in this very browser
      await hostile.goto(`http://${host}:${port}/`);
      const own = platform.url.replace('127.0.0.1', host === 'hello.localhost' ? '127.0.0.1' : host);
      const tried = await hostile.evaluate(([url]) => (window as unknown as { attack(u: string): Promise<Record<string, unknown>> }).attack(url!), [own]);
      for (const name of ['read', 'jsonPost', 'textPost', 'events', 'boot']) expect(tried[name], name).toMatch(/^refused/);
      const { projects } = await platform.api<{ projects: unknown[] }>('GET', '/api/local/projects');
      expect(projects).toEqual([]);
      expect(await platform.api('GET', '/api/agents')).toEqual([]);
    } finally {
      server.close();
    }
    await expect(owner.getByRole('heading', { level: 1 })).toBeVisible();
  });
}

test('nobody frames the console', async ({ console: owner, platform, context }) => {
  const { server, port } = await serve();
  const hostile = await context.newPage();
  try {
    await hostile.goto(`http://127.0.0.1:${port}/`);
    await hostile.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.id = 'console';
      frame.src = url;
      return new Promise((done) => {
        frame.addEventListener('load', done);
        document.body.append(frame);
      });
    }, platform.url);
    await expect(hostile.frameLocator('#console').getByRole('heading')).toHaveCount(0);
  } finally {
    server.close();
  }
  await expect(owner.getByRole('heading', { level: 1 })).toBeVisible();
});

test("an agent's own name is not the owner's", async ({ hello, context, platform }) => {
  expect(hello.page.url()).toContain('/a/hello/functions');
  const elsewhere = await context.newPage();
  await elsewhere.goto(`http://hello.localhost:${platform.port}/`);
  const status = await elsewhere.evaluate(async () => {
    const tries = await Promise.all(['/api/agents', '/api/local/projects', '/boot.json'].map((p) => fetch(p, { credentials: 'include' })));
    return tries.map((r) => r.ok);
  });
  expect(status).toEqual([false, false, false]);
});
