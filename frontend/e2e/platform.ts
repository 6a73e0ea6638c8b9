import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const binary = process.env.BENCHTOP_BIN ?? resolve(import.meta.dirname, '../../build/bin/benchtop');

export interface StartOptions {
  /** The port; 0 takes a free one. */
  port?: number;
  /** A data directory that outlives the process; none is an ephemeral one. */
  data?: string;
}

/** A running `benchtop serve` with a home of its own. */
export class Platform {

  private constructor(
    private readonly child: ChildProcess,
    readonly home: string,
    readonly url: string,
    /** The address that signs a browser in, once. */
    readonly loginUrl: string,
    readonly data: string,
  ) {}

  static async start(options: StartOptions = {}): Promise<Platform> {
    if (!existsSync(binary)) throw new Error(`${binary} is missing: run make build, or set BENCHTOP_BIN`);
    const home = mkdtempSync(join(tmpdir(), 'benchtop-e2e-'));
    const ready = join(home, 'ready.json');
    const args = ['serve', '--addr', `127.0.0.1:${options.port ?? 0}`, '--ready-file', ready];
    args.push(...(options.data ? ['--data', options.data] : ['--ephemeral']));
    const child = spawn(binary, args, {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (d: Buffer) => (errors = (errors + d).slice(-4_000)));
    const login = await new Promise<string>((done, fail) => {
      let out = '';
      child.stdout.on('data', (d: Buffer) => {
        out += d;
        const match = /^console: (\S+)$/m.exec(out);
        if (match) done(match[1]!);
      });
      child.on('exit', (code) => fail(new Error(`benchtop serve ended with ${code}: ${errors}`)));
      child.on('error', fail);
    });
    const { url, data } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string; data: string };
    return new Platform(child, home, url, login, data);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get ownerKey(): string {
    return readFileSync(join(this.data, 'owner.key'), 'utf8').trim();
  }

  /** Calls the API as the owner, as another program would. */
  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const res = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.ownerKey}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await res.text();
    if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** Ends the program as a person would, and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await gone;
    }
  }

  /** Ends the program as a crash would, without a chance to put anything away. */
  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  /** Stops and removes what it left. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}
