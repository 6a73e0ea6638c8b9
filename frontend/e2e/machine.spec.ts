import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures';
import { Workbench } from './pages/Workbench';
import { fill, places } from './places';

// Chromium's own service: it asks what fields mean, whatever page they are on.
const ofTheBrowser = 'CONNECT content-autofill.googleapis.com:443';

// The page asks its own platform and nobody else. What it asks is read in the
// browser; what would leave the machine all the same, such as connections made
// ahead, has to go through a proxy that only writes it down.
test('no request leaves the machine, in any place', async ({ browser, platform }) => {
  test.setTimeout(600_000);
  const asked: string[] = [];
  const left: string[] = [];
  const proxy = createServer((req, res) => {
    left.push(`${req.method} ${req.url}`);
    res.writeHead(502).end();
  });
  proxy.on('connect', (req, socket) => {
    left.push(`CONNECT ${req.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const context = await browser.newContext({ proxy: { server: `http://127.0.0.1:${port}`, bypass: '127.0.0.1' } });
  try {
    // The net has no holes: an address elsewhere does end at the proxy.
    const stranger = await context.newPage();
    await stranger.goto('http://elsewhere.example/').catch(() => undefined);
    expect(left).toEqual(['GET http://elsewhere.example/']);
    await stranger.close();

    const page = await context.newPage();
    page.on('request', (r) => asked.push(r.url()));
    page.on('websocket', (s) => asked.push(s.url()));
    page.on('console', (m) => {
      if (/Content Security Policy/.test(m.text())) left.push(m.text());
    });
    await page.goto(platform.loginUrl);
    await page.getByRole('button', { name: /Hello tool/ }).click();
    const bench = new Workbench(page);
    await bench.opened('greet');
    await bench.runs();
    await fill(platform);
    await page.reload();
    await bench.opened('greet');
    for (const place of places) {
      await place.go(page);
      await place.leave?.(page);
    }
    const own = new URL(platform.url).host;
    const strange = asked.filter((url) => {
      const { protocol, host } = new URL(url);
      return !['data:', 'blob:'].includes(protocol) && host !== own;
    });
    expect(strange).toEqual([]);
    expect(left.slice(1).filter((l) => l !== ofTheBrowser)).toEqual([]);
    // The walk was one: places are parts of the page of their own.
    for (const part of ['ActivityScreen', 'DataScreen', 'SettingsScreen', 'editor.worker']) expect(asked.some((url) => url.includes(part)), part).toBe(true);
  } finally {
    await context.close();
    proxy.close();
  }
});
