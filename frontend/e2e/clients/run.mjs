// Runs what real clients of the protocols do with `benchtop serve`: each script
// below has a platform and a project folder of its own. Names as arguments run
// only those scripts.
//
// A script exports
//   project   files of its agent's folder by path, AGENT.md among them
//   default   async (t) => …, which throws when something does not hold
// where t is
//   url       the platform's address, http://127.0.0.1:PORT
//   agent     the agent's username, from AGENT.md
//   base      the agent's address, url/agent
//   ownerKey  a bearer that is the owner session
//   api(method, path, body)   a call of the API as the owner; the parsed answer
//   step(name, async () => …) one thing that must hold, with its name in what is printed
//   until(what, () => value)  waits until value is truthy, at most 20 s
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const scripts = [
  'streams.mjs', // custom endpoints: fetch, eventsource-parser, ws
  'openai.mjs', // chat completions: openai
  'a2a.mjs', // agent to agent: @a2a-js/sdk
  'uamp.mjs', // universal agent messaging: ws, eventsource-parser
  'jose.mjs', // what the platform signs: jose
];

const binary = process.env.BENCHTOP_BIN ?? resolve(import.meta.dirname, '../../../build/bin/benchtop');
const limit = 180_000; // of one script; whatever hangs is ended and told

/** Starts a platform with one project folder and waits until it answers. */
async function start(files) {
  const home = mkdtempSync(join(tmpdir(), 'benchtop-clients-'));
  const folder = join(home, 'project'), ready = join(home, 'ready.json');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const child = spawn(binary, ['serve', '--addr', '127.0.0.1:0', '--ephemeral', '--ready-file', ready, '--project', folder], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home, BENCHTOP_KEYCHAIN: 'off', BENCHTOP_WORKER: process.env.BENCHTOP_WORKER ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (d) => (log = (log + d).slice(-20_000)));
  const gone = once(child, 'exit');
  await new Promise((done, fail) => {
    let out = '';
    child.stdout.on('data', (d) => /^console: /m.test((out += d)) && done());
    child.on('error', fail);
    gone.then(([code]) => fail(new Error(`benchtop serve ended with ${code}`)));
  }).catch((e) => {
    throw new Error(`${e.message}\n${log}`);
  });
  const { url, data } = JSON.parse(readFileSync(ready, 'utf8'));
  return {
    url,
    folder,
    ownerKey: readFileSync(join(data, 'owner.key'), 'utf8').trim(),
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function until(what, probe) {
  for (const end = Date.now() + 20_000; ; ) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`still not: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function run(name) {
  const script = await import(resolve(import.meta.dirname, name));
  const platform = await start(script.project);
  const agent = /^name:\s*(\S+)/m.exec(script.project['AGENT.md'])[1];
  const t = {
    ...platform,
    agent,
    base: `${platform.url}/${agent}`,
    until,
    async api(method, path, body) {
      const res = await fetch(platform.url + path, {
        method,
        headers: { Authorization: `Bearer ${platform.ownerKey}`, 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await res.text();
      if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${text}`);
      return text ? JSON.parse(text) : undefined;
    },
    async step(what, f) {
      try {
        const value = await f();
        console.log(`  ok      ${what}`);
        return value;
      } catch (e) {
        console.log(`  FAILED  ${what}`);
        throw e;
      }
    },
  };
  let timer;
  const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error(`not over after ${limit} ms`)), limit)));
  try {
    await Promise.race([script.default(t), late]);
    return true;
  } catch (e) {
    console.error(e, `\n--- the platform's log\n${platform.log()}`);
    return false;
  } finally {
    clearTimeout(timer);
    await platform.stop();
  }
}

if (!existsSync(binary)) throw new Error(`${binary} is missing: run make build, or set BENCHTOP_BIN`);
const chosen = process.argv.slice(2);
for (const name of chosen) if (!scripts.includes(name)) throw new Error(`${name} is none of ${scripts.join(', ')}`);
let failed = 0;
for (const name of chosen.length ? chosen : scripts) {
  console.log(name);
  if (!(await run(name))) failed++;
}
console.log(failed ? `${failed} of ${scripts.length} client scripts FAILED` : 'all client scripts passed');
process.exit(failed ? 1 : 0);
