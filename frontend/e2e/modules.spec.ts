import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';
import type { Workbench } from './pages/Workbench';
import type { Platform } from './platform';

const status = `/** @type {EndpointHandler} */
export default async function status(ctx, args) {
  return { who: args.who ?? 'nobody' };
}
`;

const live = `/** @param {Ctx} ctx */
export default async function live({ socket }) {
  for await (const message of socket) await socket.send({ echo: message });
}
`;

/** Gives the project endpoints, as an author does in an editor of their own. */
async function withEndpoints(platform: Platform): Promise<string> {
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  writeFileSync(join(folder, 'endpoints/status.js'), status);
  writeFileSync(join(folder, 'endpoints/live.js'), live);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(
      /^---\n/,
      `---
endpoints:
  - { path: "/status", method: get, scope: all, handler: endpoints/status.js, parameters: { who: string } }
  - { path: "/live", websocket: true, scope: all, handler: endpoints/live.js }
`,
    ),
  );
  return folder;
}

async function openModule(hello: Workbench, name: string): Promise<void> {
  await hello.tree.getByRole('list', { name: 'Files of endpoints' }).getByRole('button', { name }).click();
  await hello.opened(name);
}

const problems = (page: Page) => page.getByRole('region', { name: 'Problems of the function' });

test('a module of endpoints is edited, saved and live', async ({ hello, console: page, platform }) => {
  const folder = await withEndpoints(platform);
  await openModule(hello, 'status.js');
  await expect.poll(() => hello.text()).toContain("'nobody'");
  await expect(hello.state('saved')).toBeVisible();
  const side = page.getByRole('region', { name: 'Endpoints of endpoints/status.js' });
  await expect(side).toContainText('GET /status');
  await expect(side).toContainText('default export · for everybody');

  // Types of this endpoint: its arguments are known, and it has no socket.
  await hello.type(status.replace("args.who ?? 'nobody'", 'args.who.toFixed(1)').replace('return {', 'ctx.socket.close();\n  return {'));
  await expect(problems(page)).toContainText("Property 'toFixed' does not exist on type 'string'");
  await expect(problems(page)).toContainText("Property 'socket' does not exist on type 'Ctx'");
  await hello.type(status.replace('nobody', 'somebody'));
  await expect(problems(page)).toBeHidden();
  await hello.save();
  await expect(hello.state('saved')).toBeVisible();
  expect(read(folder, 'endpoints/status.js')).toContain('somebody');
  await expect(side.getByRole('button', { name: 'Open GET /status in Client' })).toBeVisible();
  await expect.poll(async () => (await fetch(`${platform.url}/hello/status`)).text()).toContain('somebody');

  // The address of the module leads back to it.
  await page.reload();
  await hello.opened('status.js');
  await side.getByRole('button', { name: 'Open GET /status in Client' }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/hello/status');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Body of the answer' })).toContainText('somebody');
});

test('a module that does not load says where, and the last one serves', async ({ hello, console: page, platform }) => {
  const folder = await withEndpoints(platform);
  await openModule(hello, 'live.js');
  await expect(problems(page)).toBeHidden();
  await openModule(hello, 'status.js');
  editOutside(join(folder, 'endpoints/status.js'), (t) => t.replace('return {', 'retrun {'));
  await expect(hello.state('broken, the last serves')).toBeVisible();
  await expect(problems(page)).toContainText('what loaded last still serves');
  await expect(problems(page).getByRole('button').filter({ hasText: 'JS_COMPILE_ERROR' })).toContainText('source:3:');
  expect(await (await fetch(`${platform.url}/hello/status`)).text()).toContain('nobody');
  await expect(hello.tree.getByRole('button', { name: 'status.js' }).getByRole('img', { name: 'does not load' })).toBeVisible();

  editOutside(join(folder, 'endpoints/status.js'), (t) => t.replace('retrun {', 'return {'));
  await expect(hello.state('saved')).toBeVisible();
});

test('a module that changes on both sides shows both', async ({ hello, console: page, platform }) => {
  const folder = await withEndpoints(platform);
  await openModule(hello, 'status.js');
  await hello.type(status.replace('nobody', 'mine'));
  await expect(hello.state('unsaved')).toBeVisible();
  editOutside(join(folder, 'endpoints/status.js'), (t) => t.replace('nobody', 'theirs'));
  await expect(hello.state('conflict')).toBeVisible();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(hello.state('saved')).toBeVisible();
  expect(readFileSync(join(folder, 'endpoints/status.js'), 'utf8')).toContain('mine');
});

test('a file that AGENT.md names is made by its first save', async ({ hello, console: page, platform }) => {
  const folder = await withEndpoints(platform);
  editOutside(join(folder, 'AGENT.md'), (t) => t.replace('endpoints:\n', 'endpoints:\n  - { path: /new, handler: endpoints/new.js }\n'));
  await openModule(hello, 'new.js');
  await expect(page.getByRole('region', { name: 'Endpoints of endpoints/new.js' })).toContainText('Nothing of this file serves yet');
  await hello.type(status);
  await hello.save();
  await expect(hello.state('saved')).toBeVisible();
  await expect.poll(async () => (await fetch(`${platform.url}/hello/new?who=ada`)).text()).toContain('ada');
});

test('what is wrong with the project is on Home, with its place', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  await hello.opened('greet');
  await page.keyboard.press('Control+1');
  mkdirSync(join(folder, '.benchtop'), { recursive: true });
  writeFileSync(join(folder, '.benchtop/model.yaml'), 'rules:\n  - when: hello\n');
  const project = page.getByRole('region', { name: 'Open projects' });
  await expect(project).toContainText('.benchtop/model.yaml:2:5 it has neither reply nor call nor fail');
  editOutside(join(folder, '.benchtop/model.yaml'), (t) => `${t}    reply: good day\n`);
  await expect(project).not.toContainText('model.yaml');
  editOutside(join(folder, 'AGENT.md'), (t) => t.replace(/^---\n/, '---\nskills: 1\n'));
  await expect(project).toContainText(/AGENT\.md:\d+:\d+ /);
  // What served goes on.
  await platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name: 'Ada' } });
});
