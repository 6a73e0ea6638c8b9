import { beforeEach, expect, it } from 'vitest';
import { firstDraft, type Draft, type RequestKind } from './draft';
import { keepDrafts, KeptTexts } from './keptDrafts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

/** The tab is closed, and another one is opened. */
const closed = () => sessionStorage.clear();

function editors() {
  let drafts: Record<RequestKind, Draft> = { http: firstDraft('http', 'mia'), websocket: firstDraft('websocket', 'mia'), sse: firstDraft('sse', 'mia') };
  const listeners: (() => void)[] = [];
  return {
    subscribe: (listener: () => void) => {
      listeners.push(listener);
      return () => undefined;
    },
    snapshot: () => ({ drafts }),
    setDraft: (kind: RequestKind, change: Partial<Draft>) => {
      drafts = { ...drafts, [kind]: { ...drafts[kind], ...change } };
      for (const listener of listeners) listener();
    },
  };
}

it('gives the next page what was written, and no credentials', () => {
  const first = keepDrafts(editors(), 'a1');
  first.setDraft('http', { path: '/mia/x?api_key=abc&n=1', headers: 'X-A: 1\nAuthorization: Bearer abc', body: '{"n": 1}', caller: { kind: 'bearer', token: 'abc', payment: 'abc' } });
  expect(localStorage.getItem('benchtop:client:a1')).not.toContain('abc');
  const next = keepDrafts(editors(), 'a1').snapshot().drafts;
  expect(next.http).toEqual({ method: 'GET', path: '/mia/x?api_key=&n=1', headers: 'X-A: 1\nAuthorization: ', body: '{"n": 1}', caller: { kind: 'bearer' } });
  expect(next.sse).toEqual(firstDraft('sse', 'mia'));
  expect(keepDrafts(editors(), 'a2').snapshot().drafts.http.path).toBe('/mia/');
});

it('keeps of a file its name', () => {
  keepDrafts(editors(), 'a1').setDraft('http', { method: 'POST', file: { name: 'a.png', type: 'image/png', bytes: new Uint8Array([1, 2]) } });
  expect(keepDrafts(editors(), 'a1').snapshot().drafts.http.file).toEqual({ name: 'a.png' });
});

it('keeps texts of boxes, until they are sent', () => {
  const texts = new KeptTexts('typed:a1');
  texts.set('Message', 'half a sen');
  texts.set('Other', 'x');
  texts.set('Other', '');
  expect([...new KeptTexts('typed:a1')]).toEqual([['Message', 'half a sen']]);
});

it('keeps what looks like a credential in a text until the tab is closed, and says that it is gone', () => {
  const jwt = 'eyJhbGciOiJub25l.eyJzdWIiOiJtZSJ9.c2ln';
  keepDrafts(editors(), 'a1').setDraft('http', { body: `{"t": "${jwt}"}` });
  new KeptTexts('typed:a1').set('Message', `say ${jwt}`);
  expect(JSON.stringify({ ...localStorage })).not.toContain('eyJ');
  expect(keepDrafts(editors(), 'a1').snapshot().drafts.http).toMatchObject({ body: `{"t": "${jwt}"}` });
  expect(new KeptTexts('typed:a1').get('Message')).toBe(`say ${jwt}`);
  closed();
  expect(keepDrafts(editors(), 'a1').snapshot().drafts.http).toMatchObject({ body: '{"t": "…"}', withheld: true });
  expect(new KeptTexts('typed:a1').get('Message')).toBe('say …');
});
