import { beforeEach, expect, it } from 'vitest';
import type { Exchange } from './exchange';
import { keepSent, keptOfAll, keptOfOne } from './keptSent';

beforeEach(() => sessionStorage.clear());

class Store {
  state: { exchanges: readonly Exchange[]; shown: Record<string, string> } = { exchanges: [], shown: {} };
  private readonly listeners: (() => void)[] = [];
  subscribe = (listener: () => void) => {
    this.listeners.push(listener);
    return () => undefined;
  };
  snapshot = () => this.state;
  bring = (state: Store['state']) => (this.state = state);
  set(exchanges: readonly Exchange[], shown: Record<string, string> = {}) {
    this.state = { exchanges, shown };
    for (const listener of this.listeners) listener();
  }
}

const sent = (id: string, more: Partial<Exchange> = {}): Exchange => ({
  id,
  at: 1,
  request: { id, method: 'GET', path: '/mia/x', headers: [], caller: { kind: 'owner' } },
  head: { status: 200, headers: [] },
  chunks: [{ text: '{"n": 1}' }],
  items: [],
  end: { bytes: 8 },
  endMs: 3,
  ...more,
});
const text = () => sessionStorage.getItem('benchtop:client.sent:a1')!;
const loaded = (agent = 'a1') => keepSent(new Store(), agent).state;

it('keeps of a file that was sent its name', () => {
  keepSent(new Store(), 'a1').set([sent('one', { file: { name: 'a.png', type: 'image/png', bytes: new Uint8Array([1, 2]) } })]);
  expect(loaded().exchanges[0]?.file).toEqual({ name: 'a.png' });
});

it('gives the next page what was sent, and the answer in view', () => {
  const first = keepSent(new Store(), 'a1');
  first.set([sent('two'), sent('one')], { http: 'one' });
  expect(loaded()).toEqual({ exchanges: [sent('two'), sent('one')], shown: { http: 'one' } });
  expect(loaded('a2').exchanges).toEqual([]);
});

it('ends what was under way, with what had come until the page went', () => {
  const first = keepSent(new Store(), 'a1');
  const { end: _, ...running } = sent('one', { chunks: [] });
  first.set([running]);
  first.set([{ ...running, chunks: [{ text: 'half' }] }]);
  expect(text()).not.toContain('half'); // frames are not written one by one
  window.dispatchEvent(new Event('pagehide'));
  first.set([{ ...running, end: { bytes: 0, error: 'network error' } }]); // because the page goes
  expect(loaded().exchanges[0]).toMatchObject({ chunks: [{ text: 'half' }], end: { error: 'The page was loaded anew, which ended it.' } });
});

it('keeps no credentials', () => {
  const jwt = 'eyJhbGciOiJub25l.eyJzdWIiOiJtZSJ9.c2ln';
  const request = { ...sent('one').request, path: `/mia/x?api_key=hush&n=1`, headers: [{ name: 'Authorization', value: 'Bearer hush' }, { name: 'X-A', value: `a ${jwt}` }], body: `{"t": "${jwt}"}` };
  const head = { status: 200, headers: [{ name: 'Set-Cookie', value: 'session=hush' }] };
  keepSent(new Store(), 'a1').set([sent('one', { request, head, chunks: [{ text: `{"t": "${jwt.slice(0, 20)}` }, { text: `${jwt.slice(20)}"}` }], items: [{ n: 0, atMs: 0, sent: false, text: jwt }] })]);
  expect(text()).not.toMatch(/hush|eyJ/);
  const [x] = loaded().exchanges;
  expect(x).toMatchObject({ request: { path: '/mia/x?api_key=&n=1', headers: [{ value: '' }, { value: 'a …' }] }, chunks: [{ text: '{"t": "…"}' }], items: [{ text: '…' }] });
});

it('keeps no credential in bytes and in what led elsewhere', () => {
  const jwt = 'eyJhbGciOiJub25l.eyJzdWIiOiJtZSJ9.c2ln';
  const hop = { status: 302, headers: [{ name: 'Location', value: `/mia/y#${jwt}` }], method: 'GET', path: '/mia/y?token=hush' };
  keepSent(new Store(), 'a1').set([sent('one', { hops: [hop], chunks: [{ b64: btoa(`\xff${jwt}`) }], items: [{ n: 0, atMs: 0, sent: true, binary: true, text: btoa(jwt) }, { n: 1, atMs: 0, sent: true, binary: true, text: 'AP8=' }] })]);
  expect(text()).not.toMatch(/hush|eyJ/);
  expect(loaded().exchanges[0]).toMatchObject({ hops: [{ path: '/mia/y?token=' }], chunks: [{ b64: btoa('\xff...') }], items: [{ text: btoa('...') }, { text: 'AP8=' }] });
});

it('is bounded: the end of a long answer goes, and all but the fact of old ones', () => {
  const long = 'x'.repeat(keptOfOne);
  const items = Array.from({ length: 30 }, (_, n) => ({ n, atMs: n, sent: false, text: 'y'.repeat(10_000) }));
  keepSent(new Store(), 'a1').set([sent('socket', { chunks: [], items }), ...Array.from({ length: 20 }, (_, i) => sent(`n${i}`, { chunks: [{ text: `${long}more` }] }))]);
  expect(text().length).toBeLessThan(keptOfAll * 1.1);
  const { exchanges } = loaded();
  expect(exchanges).toHaveLength(21);
  expect(exchanges[0]!.items.map((i) => i.n)).toEqual(items.slice(-13).map((i) => i.n));
  expect(exchanges[1]).toMatchObject({ cut: true, chunks: [{ text: long }] });
  expect(exchanges.at(-1)).toMatchObject({ cut: true, chunks: [], head: { status: 200 }, end: { bytes: 8 } });
});
