import { describe, expect, it } from 'vitest';
import type { InvocationPage, InvocationRow } from '../../api/contract.gen';
import { Feed, keptWaiting, keptWhileFollowing, newestFirst } from './feed';

const row = (n: number, status = 'ok') =>
  ({ id: `r${String(n).padStart(6, '0')}`, started_at: `2026-11-20T10:00:00.${String(n).padStart(6, '0')}Z`, status, function_name: 'f' }) as InvocationRow;

/** A platform with rows 0 to count-1, and a feed whose pictures are drawn by hand. */
function setup(count: number, matches: (r: InvocationRow) => boolean = () => true, size = 50) {
  const store = Array.from({ length: count }, (_, n) => row(n)).sort(newestFirst);
  const cursors: (string | undefined)[] = [];
  let frame: (() => void) | undefined;
  const feed = new Feed({
    matches,
    schedule: (run) => (frame = run),
    load: (cursor) => {
      cursors.push(cursor);
      const left = store.filter((r) => matches(r) && (!cursor || `${r.started_at}~${r.id}` < cursor));
      const page = left.slice(0, size);
      return Promise.resolve({ invocations: page, items: page, nextCursor: left.length > size ? 'more' : null, cursor: null } as InvocationPage);
    },
  });
  const draw = () => {
    frame?.();
    frame = undefined;
  };
  return { feed, store, cursors, draw, settled: () => new Promise((done) => setTimeout(done)) };
}

describe('Feed', () => {
  it('loads page by page to the end, without doubles', async () => {
    const { feed, settled, cursors } = setup(120);
    feed.reload();
    await settled();
    for (let i = 0; i < 5; i++) {
      feed.loadMore();
      await settled();
    }
    expect(feed.state.rows.map((r) => r.id)).toEqual(Array.from({ length: 120 }, (_, n) => row(119 - n).id));
    expect(feed.state.more).toBe(false);
    expect(cursors).toHaveLength(3);
  });

  it('puts new rows on top once a picture, and changes those that end in place', async () => {
    const { feed, draw, settled } = setup(3);
    feed.reload();
    await settled();
    let told = 0;
    feed.watch(() => told++);
    for (let n = 3; n < 500; n++) {
      feed.add(row(n, 'running'));
      feed.add(row(n));
    }
    expect(told).toBe(0);
    draw();
    expect(told).toBe(1);
    expect(feed.state.rows).toHaveLength(500);
    expect(feed.state.rows[0]).toMatchObject({ id: row(499).id, status: 'ok' });
    feed.add(row(499, 'running')); // a late beginning changes nothing
    draw();
    expect(feed.state.rows[0]!.status).toBe('ok');
  });

  it('keeps what is being read where it is', async () => {
    const { feed, draw, settled } = setup(10);
    feed.reload();
    await settled();
    feed.add(row(20, 'running'));
    draw();
    feed.follow(false);
    const before = feed.state.rows;
    feed.add(row(21));
    feed.add(row(22));
    feed.add(row(20));
    draw();
    expect(feed.state.waiting).toBe(2);
    expect(feed.state.rows.map((r) => r.id)).toEqual(before.map((r) => r.id));
    expect(feed.state.rows[0]!.status).toBe('ok');
    feed.follow(true);
    expect(feed.state.waiting).toBe(0);
    expect(feed.state.rows.map((r) => r.id).slice(0, 3)).toEqual([row(22).id, row(21).id, row(20).id]);
  });

  it('takes only rows that match, also when they match at their end only', async () => {
    const { feed, draw, settled } = setup(4, (r) => r.status === 'error');
    feed.reload();
    await settled();
    feed.add(row(9, 'running'));
    feed.add(row(10));
    draw();
    expect(feed.state.rows).toHaveLength(0);
    feed.add(row(9, 'error'));
    draw();
    expect(feed.state.rows.map((r) => r.id)).toEqual([row(9).id]);
  });

  it('stays small while it follows, and finds the older rows again', async () => {
    const { feed, draw, settled, store } = setup(0);
    feed.reload();
    await settled();
    const many = keptWhileFollowing + 300;
    for (let n = 0; n < many; n++) {
      store.unshift(row(n));
      feed.add(row(n));
    }
    draw();
    expect(feed.state.rows).toHaveLength(keptWhileFollowing);
    expect(feed.state.more).toBe(true);
    feed.follow(false);
    feed.loadMore();
    await settled();
    expect(feed.state.rows).toHaveLength(keptWhileFollowing + 50);
    expect(feed.state.rows.at(-1)!.id).toBe(row(250).id);
  });

  it('reads anew when more has waited than it keeps', async () => {
    const { feed, draw, settled, store } = setup(5);
    feed.reload();
    await settled();
    feed.follow(false);
    for (let n = 10; n < 10 + keptWaiting + 7; n++) {
      store.unshift(row(n));
      feed.add(row(n));
    }
    draw();
    expect(feed.state.waiting).toBe(keptWaiting + 7);
    feed.follow(true);
    await settled();
    expect(feed.state.waiting).toBe(0);
    expect(feed.state.rows[0]!.id).toBe(row(10 + keptWaiting + 6).id);
  });

  it('leaves rows of later pages to those', async () => {
    const { feed, draw, settled } = setup(120);
    feed.reload();
    await settled();
    feed.add(row(5)); // it ends now and began long ago
    draw();
    expect(feed.state.rows).toHaveLength(50);
  });

  it('says what went wrong, and drops the answer to an older question', async () => {
    let answer: ((page: InvocationPage) => void) | undefined;
    let fail = true;
    const feed = new Feed({
      matches: () => true,
      load: () => (fail ? Promise.reject(new Error('gone')) : new Promise((done) => (answer = done))),
    });
    feed.reload();
    await Promise.resolve();
    await Promise.resolve();
    expect(feed.state).toMatchObject({ error: 'gone', loading: false });
    fail = false;
    feed.reload();
    const first = answer!;
    feed.reload();
    first({ invocations: [row(1)], items: [], nextCursor: null, cursor: null } as unknown as InvocationPage);
    await Promise.resolve();
    expect(feed.state.rows).toHaveLength(0);
    answer!({ invocations: [row(2)], items: [], nextCursor: null, cursor: null } as unknown as InvocationPage);
    await Promise.resolve();
    await Promise.resolve();
    expect(feed.state.rows.map((r) => r.id)).toEqual([row(2).id]);
  });
});
