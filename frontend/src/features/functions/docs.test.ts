import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Docs } from './docs';
import { Drafts } from './drafts';

const file = (text: string, path = 'functions/f/index.js') => ({ path, text, sha256: text === '' ? '' : `sha(${text})` });
const id = 'agent/f';

describe('Docs', () => {
  let docs: Docs;
  beforeEach(() => {
    localStorage.clear();
    docs = new Docs(new Drafts('d1'));
    docs.stored(id, { source: file('one'), manifest: file('{}', 'functions/f/manifest.json') });
  });
  const mine = () => docs.get(id).source?.mine;

  it('follows the disk while it is clean', () => {
    docs.stored(id, { source: file('two') });
    expect(mine()).toBe('two');
    expect(docs.isDirty(id)).toBe(false);
  });

  it('keeps an edit when the disk changes, and knows both', () => {
    docs.edit(id, 'source', 'one, edited');
    docs.stored(id, { source: file('two') });
    expect(mine()).toBe('one, edited');
    expect(docs.get(id).source?.theirs?.text).toBe('two');
    expect(docs.conflict(id)).toBe('source');
  });

  it('ends a conflict that the other side took back', () => {
    docs.edit(id, 'source', 'edited');
    docs.stored(id, { source: file('two') });
    docs.stored(id, { source: file('one') });
    expect(docs.conflict(id)).toBeUndefined();
    expect(mine()).toBe('edited');
  });

  it('is clean when both sides made the same text', () => {
    docs.edit(id, 'source', 'two');
    docs.stored(id, { source: file('two') });
    expect(docs.isDirty(id)).toBe(false);
    expect(docs.conflict(id)).toBeUndefined();
  });

  it('sends what was edited, with the version it was based on', () => {
    expect(docs.request(id)).toBeUndefined();
    docs.edit(id, 'source', 'edited');
    expect(docs.request(id)).toEqual({ source: 'edited', sourceBase: 'sha(one)' });
    docs.edit(id, 'manifest', '{"a":1}');
    expect(docs.request(id)).toEqual({ source: 'edited', sourceBase: 'sha(one)', manifest: '{"a":1}', manifestBase: 'sha({})' });
  });

  it('keeps what was typed while a save was on its way', () => {
    docs.edit(id, 'source', 'edited');
    const sent = docs.request(id)!;
    docs.edit(id, 'source', 'edited more');
    docs.saved(id, sent, { source: file('edited') });
    expect(mine()).toBe('edited more');
    expect(docs.request(id)).toEqual({ source: 'edited more', sourceBase: 'sha(edited)' });
  });

  it('takes what the platform made of a saved text', () => {
    docs.edit(id, 'source', 'edited');
    docs.saved(id, docs.request(id)!, { source: file('edited\n') });
    expect(mine()).toBe('edited\n');
    expect(docs.isDirty(id)).toBe(false);
  });

  it('turns a save that came too late into a conflict', () => {
    docs.edit(id, 'source', 'edited');
    docs.conflicted(id, { source: file('two') });
    expect(docs.conflict(id)).toBe('source');
    docs.resolve(id, 'source', 'both');
    expect(docs.conflict(id)).toBeUndefined();
    expect(docs.request(id)).toEqual({ source: 'both', sourceBase: 'sha(two)' });
  });

  it('keeps the text of a file that was removed, as a new file', () => {
    docs.edit(id, 'source', 'edited');
    docs.stored(id, {});
    expect(docs.request(id)).toEqual({ source: 'edited', sourceBase: '' });
    expect(docs.get(id).manifest).toBeUndefined();
  });

  it('keeps every text of a function that was removed under an edit', () => {
    const manifest = docs.get(id).manifest?.mine;
    docs.edit(id, 'source', 'edited');
    docs.gone(id);
    expect(docs.request(id)).toEqual({ source: 'edited', sourceBase: '', ...(manifest === undefined ? {} : { manifest, manifestBase: '' }) });
  });

  it('brings drafts back in a new visit', () => {
    docs.edit(id, 'source', 'draft');
    docs.flush();
    const again = new Docs(new Drafts('d1'));
    again.stored(id, { source: file('one') });
    expect(again.get(id).source?.mine).toBe('draft');
    expect(again.conflict(id)).toBeUndefined();
  });

  it('brings a draft back as a conflict when the disk has moved on', () => {
    docs.edit(id, 'source', 'draft');
    docs.flush();
    const again = new Docs(new Drafts('d1'));
    again.stored(id, { source: file('two') });
    expect(again.get(id).source).toMatchObject({ mine: 'draft', theirs: { text: 'two' } });
  });

  it('keeps no draft of a clean text, nor of another data directory', () => {
    docs.edit(id, 'source', 'draft');
    docs.flush();
    const other = new Docs(new Drafts('d2'));
    other.stored(id, { source: file('one') });
    expect(other.isDirty(id)).toBe(false);
    docs.edit(id, 'source', 'one');
    docs.flush();
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('says that a text came back until its author has kept it', () => {
    docs.edit(id, 'source', 'draft');
    docs.flush();
    const again = new Docs(new Drafts('d1'));
    expect(again.isDirty(id)).toBe(true); // before the function is opened
    again.stored(id, { source: file('one') });
    expect(Date.parse(again.get(id).restoredFrom!)).toBeGreaterThan(Date.now() - 60_000);
    again.keepRestored(id);
    expect(again.get(id).restoredFrom).toBeUndefined();
    expect(again.get(id).source?.mine).toBe('draft');
  });

  it('throws a text away that came back, and brings it back again', () => {
    docs.edit(id, 'source', 'draft');
    docs.flush();
    const again = new Docs(new Drafts('d1'));
    again.stored(id, { source: file('two') });
    const undo = again.discard(id);
    expect(again.get(id)).toMatchObject({ source: { mine: 'two' }, restoredFrom: undefined });
    expect(again.isDirty(id)).toBe(false);
    expect(Object.keys(localStorage)).toEqual([]);
    undo();
    expect(again.get(id).source).toMatchObject({ mine: 'draft', base: { text: 'one' }, theirs: { text: 'two' } });
  });

  it('brings back a text whose file is gone as a new file', () => {
    docs.edit(id, 'manifest', '{"a":1}');
    docs.flush();
    const again = new Docs(new Drafts('d1'));
    again.stored(id, { source: file('one') });
    expect(again.request(id)).toEqual({ manifest: '{"a":1}', manifestBase: '' });
  });

  it('keeps a text that is typed on and on', () => {
    vi.useFakeTimers();
    docs = new Docs(new Drafts('d1'));
    docs.stored(id, { source: file('one') });
    for (let i = 0; i < 10; i++) {
      docs.edit(id, 'source', `draft ${i}`);
      vi.advanceTimersByTime(100);
    }
    vi.useRealTimers();
    expect(new Drafts('d1').take(id, 'source')?.mine).toMatch(/^draft [3-9]$/);
  });

  it('tells its watchers of changes and of nothing else', () => {
    let told = 0;
    docs.watch(() => told++);
    docs.edit(id, 'source', 'one');
    docs.stored(id, { source: file('one'), manifest: file('{}') });
    expect(told).toBe(0);
    docs.edit(id, 'source', 'x');
    expect(told).toBe(1);
  });
});
