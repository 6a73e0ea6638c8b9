import type { Client } from '../../api/client';
import type { Draft as StoredDraft } from '../../api/contract.gen';
import { ApiError } from '../../api/errors';
import { readStored, storedKeys, writeStored } from '../../ui/stored';
import type { Stored } from './doc';

/** An unsaved text: the stored version it was begun from, the text, and when it was typed. */
export interface Draft {
  base: Stored;
  mine: string;
  /** ISO time. */
  at: string;
}

const retryMs = 5_000;
/** Two requests of one page may arrive in the other order: what this browser was not told about counts that long. */
const raceMs = 5_000;
/** What a browser still sends for a page that goes away, in bytes. */
const keepaliveBytes = 60_000;

/**
 * Drafts keeps unsaved texts where no crash takes them: with the platform, for
 * every browser and for the next start. Until the platform has said that it has
 * a text, the text is in this browser's storage as well; so the copy there, if
 * any, is what the platform was not told yet.
 */
export class Drafts {
  /** What the platform had when the page asked, and nobody took yet. */
  private readonly offered = new Map<string, Draft>();
  /** Those of this browser that nobody took yet. */
  private readonly here: Set<string>;
  private readonly wanted = new Map<string, Draft | undefined>();
  private readonly told = new Map<string, Draft | undefined>();
  private readonly busy = new Set<string>();
  private readonly loaded = new Map<string, Promise<void>>();
  /** Called when the platform refuses a text: it is in this browser only. */
  onRefused?: (id: string, error: ApiError) => void;

  /** scope keeps the drafts of different platforms apart: the data id. Without a client, this browser keeps them alone. */
  constructor(
    private readonly scope: string,
    private client?: Client,
  ) {
    this.here = new Set(storedKeys(`draft:${scope}:`));
  }

  /** A page that signed in again has another client. */
  use(client: Client): void {
    this.client = client;
  }

  /** Asks for what the platform keeps of an agent, once. Until then nothing must be opened: a text could be written over. */
  load(agent: string): Promise<void> {
    const known = this.loaded.get(agent);
    if (known || !this.client) return known ?? Promise.resolve();
    const asked = this.client.call('GET /api/local/drafts/:agent', { params: { agent } }).then(({ drafts }) => {
      for (const d of drafts) this.offer(`${agent}/${d.name}`, d);
    });
    this.loaded.set(agent, asked);
    asked.catch(() => this.loaded.delete(agent));
    return asked;
  }

  private offer(id: string, d: StoredDraft): void {
    const key = this.key(id, d.file);
    // What this page has written since is newer than any answer.
    if (this.wanted.has(key)) return;
    const draft: Draft = { base: d.base, mine: d.text, at: d.updatedAt };
    this.told.set(key, draft);
    this.offered.set(key, draft);
  }

  /** Whether there is a text that nobody took yet. */
  waits(id: string, part: string): boolean {
    const key = this.key(id, part);
    return this.offered.has(key) || this.here.has(key);
  }

  /** The text that was kept of a file: the newer of the platform's and this browser's. */
  take(id: string, part: string): Draft | undefined {
    const key = this.key(id, part);
    const there = this.offered.get(key);
    const here = this.here.has(key) ? readStored<Draft | undefined>(key, undefined) : undefined;
    this.offered.delete(key);
    this.here.delete(key);
    return there && here && Date.parse(there.at) - Date.parse(here.at) > raceMs ? there : (here ?? there);
  }

  /** Keeps a text, or forgets the one that was kept. last is for a page that goes away now. */
  keep(id: string, part: string, draft: Draft | undefined, last = false): void {
    const key = this.key(id, part);
    if (this.wanted.has(key) && same(this.wanted.get(key), draft) && (!last || same(this.told.get(key), draft))) return;
    this.offered.delete(key);
    this.here.delete(key);
    this.wanted.set(key, draft);
    writeStored(key, draft);
    if (last && draft && this.client) void this.send(id, part, draft, true).catch(() => undefined);
    else void this.push(id, part, key);
  }

  /** Tells the platform until it has what is wanted. */
  private async push(id: string, part: string, key: string): Promise<void> {
    if (!this.client || this.busy.has(key)) return;
    this.busy.add(key);
    try {
      while (!same(this.told.get(key), this.wanted.get(key))) {
        const draft = this.wanted.get(key);
        await this.send(id, part, draft, false);
        this.told.set(key, draft);
        if (this.wanted.get(key) === draft) writeStored(key, undefined);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return; // the next text is told after signing in
      if (error instanceof ApiError && error.status < 500) {
        this.told.set(key, this.wanted.get(key)); // asking again would not help, only another text will
        this.onRefused?.(id, error);
      } else {
        setTimeout(() => void this.push(id, part, key), retryMs);
      }
    } finally {
      this.busy.delete(key);
    }
  }

  private async send(id: string, file: string, draft: Draft | undefined, last: boolean): Promise<void> {
    const at = id.indexOf('/');
    const params = { agent: id.slice(0, at), name: id.slice(at + 1), file };
    if (!draft) {
      await this.client?.call('DELETE /api/local/drafts/:agent/:name/:file', { params });
      return;
    }
    const body = { text: draft.mine, base: draft.base };
    const keepalive = last && JSON.stringify(body).length < keepaliveBytes;
    await this.client?.call('PUT /api/local/drafts/:agent/:name/:file', { params, body, keepalive });
  }

  private key(id: string, part: string): string {
    return `draft:${this.scope}:${id}:${part}`;
  }
}

function same(a: Draft | undefined, b: Draft | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.mine === b.mine && a.base.sha256 === b.base.sha256);
}
