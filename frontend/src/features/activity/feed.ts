import type { InvocationRow, InvocationSearch } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { paced } from '../../api/paced';
import { lister, type ListedRow } from './listed';

/** Rows kept while the list follows what happens; older ones are read again when somebody scrolls to them. */
export const keptWhileFollowing = 2_000;
/** Rows that wait for a reader; beyond that only their number is kept. */
export const keptWaiting = 5_000;

export interface FeedState {
  /** Newest first. */
  rows: readonly ListedRow[];
  /** How many newer rows wait until the reader comes back to the top. */
  waiting: number;
  /** Whether there are older rows to load. */
  more: boolean;
  loading: boolean;
  /** Where nothing matches: how many runs there are without the filter. */
  of?: number;
  error?: string;
}

export interface FeedOptions {
  load: (cursor: string | undefined) => Promise<InvocationSearch>;
  matches: (row: InvocationRow) => boolean;
  /** Runs something soon that says how many rows it changed; replaced in tests. */
  schedule?: (run: () => number) => void;
}

/**
 * Feed is the list of what happened behind one filter: pages from the platform
 * below, what happens now on top. While it follows, rows come in as they happen;
 * while somebody reads, they wait, and only rows that are there change. Changes
 * are handed out a few times a second, however many events arrive.
 */
export class Feed {
  state: FeedState = { rows: [], waiting: 0, more: true, loading: false };

  private following = true;
  private incoming = new Map<string, InvocationRow>();
  private waiting = new Map<string, ListedRow>();
  private missed = 0;
  private scheduled = false;
  private age = 0; // of the list: an answer for an older one is dropped
  private readonly watchers = new Set<() => void>();
  private readonly schedule: (run: () => number) => void;
  private readonly listed = lister();

  constructor(private readonly options: FeedOptions) {
    this.schedule = options.schedule ?? paced();
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  get = (): FeedState => this.state;

  /** Reads the list anew from its top. */
  reload = (): void => {
    this.age++;
    this.waiting.clear();
    this.missed = 0;
    this.set({ rows: [], waiting: 0, more: true, loading: false, error: undefined });
    this.loadMore();
  };

  /** Loads the next older page. */
  loadMore = (): void => {
    const { rows, more, loading } = this.state;
    if (!more || loading) return;
    const age = this.age;
    const last = rows.at(-1);
    this.set({ loading: true, error: undefined });
    this.options
      .load(last && `${last.started_at}~${last.id}`)
      .then((page) => {
        if (age !== this.age) return;
        const fresh = page.invocations.filter((row) => placeOf(this.state.rows, row) < 0).map(this.listed);
        this.set({ rows: merge(this.state.rows, fresh.sort(newestFirst)), more: page.nextCursor !== null, loading: false, of: page.of ?? 0 });
      })
      .catch((error: unknown) => {
        if (age === this.age) this.set({ loading: false, error: messageOf(error) });
      });
  };

  /** Takes in a row that began or ended. */
  add = (row: InvocationRow): void => {
    const before = this.incoming.get(row.id);
    if (before && before.status !== 'running' && row.status === 'running') return;
    this.incoming.set(row.id, row);
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(this.flush);
  };

  /** Says whether new rows may move the list: nobody is reading and nothing is paused. */
  follow = (following: boolean): void => {
    this.following = following;
    if (following) this.show();
  };

  /** Puts in what has waited. */
  show = (): void => {
    if (this.missed > 0) {
      this.reload();
      return;
    }
    if (this.waiting.size === 0) return;
    const rows = [...this.waiting.values()].sort(newestFirst);
    this.waiting.clear();
    this.set({ rows: this.cut(merge(this.state.rows, rows)), waiting: 0 });
  };

  private flush = (): number => {
    this.scheduled = false;
    const incoming = this.incoming;
    this.incoming = new Map();
    let rows = this.state.rows;
    const fresh: ListedRow[] = [];
    let changed: ListedRow[] | undefined;
    for (const row of incoming.values()) {
      const at = placeOf(rows, row);
      if (at >= 0) {
        if (rows[at]!.status !== 'running' && row.status === 'running') continue;
        changed ??= rows.slice();
        changed[at] = this.listed(row);
      } else if (this.waiting.has(row.id)) {
        if (this.options.matches(row)) this.waiting.set(row.id, this.listed(row));
        else this.waiting.delete(row.id);
      } else if (this.options.matches(row) && !this.liesBelow(row)) fresh.push(this.listed(row));
    }
    rows = changed ?? rows;
    if (this.following) {
      if (fresh.length) rows = this.cut(merge(rows, fresh.sort(newestFirst)));
    } else {
      for (const row of fresh) {
        if (this.waiting.size < keptWaiting) this.waiting.set(row.id, row);
        else this.missed++;
      }
    }
    const waiting = this.waiting.size + this.missed;
    if (rows !== this.state.rows || waiting !== this.state.waiting) this.set({ rows, waiting });
    return incoming.size;
  };

  /** Whether a row belongs on a page that was not loaded yet. */
  private liesBelow(row: InvocationRow): boolean {
    const last = this.state.rows.at(-1);
    return this.state.more && last !== undefined && newestFirst(row, last) > 0;
  }

  private cut(rows: readonly ListedRow[]): readonly ListedRow[] {
    if (!this.following || rows.length <= keptWhileFollowing) return rows;
    this.state = { ...this.state, more: true };
    return rows.slice(0, keptWhileFollowing);
  }

  private set(change: Partial<FeedState>): void {
    this.state = { ...this.state, ...change };
    for (const watcher of this.watchers) watcher();
  }
}

/** What says where a row lies. */
type Placed = Pick<ListedRow, 'id' | 'started_at'>;

/** The order of the history: by time, then id, the newest first. */
export function newestFirst(a: Placed, b: Placed): number {
  if (a.started_at !== b.started_at) return a.started_at < b.started_at ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Where a row lies in a list in the order of the history, -1 when it does not. */
export function placeOf(rows: readonly Placed[], row: Placed): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = newestFirst(rows[middle]!, row);
    if (order === 0) return middle;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

/** Joins two lists that are in order. */
function merge(a: readonly ListedRow[], b: readonly ListedRow[]): readonly ListedRow[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  if (newestFirst(a.at(-1)!, b[0]!) < 0) return a.concat(b);
  if (newestFirst(b.at(-1)!, a[0]!) < 0) return b.concat(a);
  const out: ListedRow[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const next = j >= b.length || (i < a.length && newestFirst(a[i]!, b[j]!) < 0) ? a[i++] : b[j++];
    out.push(next!);
  }
  return out;
}
