import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../api/client';
import { ApiError, Unreachable } from '../../api/errors';
import { Drafts } from './drafts';

const id = 'agent/f';
const base = { text: 'one', sha256: 'sha(one)' };
const draft = (mine: string, at = '2026-01-01T10:00:00Z') => ({ base, mine, at });
const stored = (text: string, updatedAt = '2026-01-01T10:00:00.5Z') => ({ name: 'f', file: 'source', text, base, updatedAt });

/** A platform that answers when it is told to. */
function platform() {
  const calls: { route: string; body?: { text: string }; answer: (value: unknown) => void; fail: (error: unknown) => void }[] = [];
  const call = vi.fn((route: string, input: { body?: { text: string } }) => new Promise((answer, fail) => calls.push({ route: route.split(' ')[0]!, body: input.body, answer, fail })));
  const next = async () => {
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0));
    return calls.shift()!;
  };
  return { client: { call } as unknown as Client, call, next };
}

/** Lets what was answered have its effect. */
const settle = () => new Promise((done) => setTimeout(done, 0));

describe('Drafts', () => {
  beforeEach(() => localStorage.clear());

  it('keeps a text in the browser until the platform has it', async () => {
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    drafts.keep(id, 'source', draft('mine'));
    expect(new Drafts('d').take(id, 'source')?.mine).toBe('mine');
    const put = await next();
    expect(put).toMatchObject({ route: 'PUT', body: { text: 'mine', base } });
    put.answer({});
    await settle();
    expect(new Drafts('d').waits(id, 'source')).toBe(false);
  });

  it('sends the last of several texts, and removes it when it is saved', async () => {
    const { client, next, call } = platform();
    const drafts = new Drafts('d', client);
    drafts.keep(id, 'source', draft('a'));
    const first = await next();
    drafts.keep(id, 'source', draft('b'));
    drafts.keep(id, 'source', draft('c'));
    first.answer({});
    const second = await next();
    expect(second.body?.text).toBe('c');
    drafts.keep(id, 'source', undefined);
    second.answer({});
    const third = await next();
    expect(third.route).toBe('DELETE');
    third.answer({});
    await settle();
    expect(call).toHaveBeenCalledTimes(3);
    expect(localStorage.length).toBe(0);
  });

  it('asks for nothing to be removed that was never kept', async () => {
    const { client, call } = platform();
    new Drafts('d', client).keep(id, 'source', undefined);
    await settle();
    expect(call).not.toHaveBeenCalled();
  });

  it('gives what the platform has, once', async () => {
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    const loaded = drafts.load('agent');
    (await next()).answer({ drafts: [stored('theirs')] });
    await loaded;
    expect(drafts.waits(id, 'source')).toBe(true);
    expect(drafts.take(id, 'source')).toMatchObject({ mine: 'theirs', base });
    expect(drafts.take(id, 'source')).toBeUndefined();
    drafts.keep(id, 'source', undefined);
    expect((await next()).route).toBe('DELETE');
  });

  it.each([
    ['what this browser did not get rid of', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00.5Z', 'here'],
    ['what another browser typed later', '2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z', 'there'],
    ['what this browser typed later', '2026-01-01T10:02:00Z', '2026-01-01T10:01:00Z', 'here'],
  ])('prefers %s', async (_, hereAt, thereAt, want) => {
    new Drafts('d').keep(id, 'source', draft('here', hereAt));
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    const loaded = drafts.load('agent');
    (await next()).answer({ drafts: [stored('there', thereAt)] });
    await loaded;
    expect(drafts.take(id, 'source')?.mine).toBe(want);
  });

  it('does not take an answer for newer than what was typed meanwhile', async () => {
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    const loaded = drafts.load('agent');
    const list = await next();
    drafts.keep(id, 'source', draft('typed'));
    list.answer({ drafts: [stored('old')] });
    await loaded;
    expect(drafts.take(id, 'source')).toBeUndefined();
  });

  it('looks again after the platform was away', async () => {
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    const loaded = drafts.load('agent');
    (await next()).fail(new Unreachable(new Error('gone')));
    await expect(loaded).rejects.toThrow();
    const again = drafts.load('agent');
    (await next()).answer({ drafts: [] });
    await again;
  });

  it('tries again when the platform was away, and keeps the text meanwhile', async () => {
    vi.useFakeTimers();
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    drafts.keep(id, 'source', draft('mine'));
    (await next()).fail(new Unreachable(new Error('gone')));
    await vi.advanceTimersByTimeAsync(6_000);
    const put = await next();
    expect(put.body?.text).toBe('mine');
    expect(new Drafts('d').take(id, 'source')?.mine).toBe('mine');
    vi.useRealTimers();
  });

  it('says that a text was refused, and leaves it in the browser', async () => {
    const { client, next } = platform();
    const drafts = new Drafts('d', client);
    drafts.onRefused = vi.fn();
    drafts.keep(id, 'source', draft('long'));
    (await next()).fail(new ApiError(413, 'BODY_TOO_LARGE', 'too long'));
    await settle();
    expect(drafts.onRefused).toHaveBeenCalledWith(id, expect.objectContaining({ code: 'BODY_TOO_LARGE' }));
    expect(new Drafts('d').take(id, 'source')?.mine).toBe('long');
  });
});
