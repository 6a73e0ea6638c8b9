import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client } from './client';
import { unnoticedMs } from './waiting';

describe('waiting', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is said of a call that takes longer than a moment, until the last one is answered', async () => {
    const answers: ((res: Response) => void)[] = [];
    const client = new Client({ api: '' }, () => new Promise((answer) => answers.push(answer)));
    const told = vi.fn();
    client.waiting.watch(told);
    const calls = [client.call('GET /api/agents', {}), client.call('GET /api/agents', {})];
    vi.advanceTimersByTime(unnoticedMs - 1);
    expect(client.waiting.slow()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(client.waiting.slow()).toBe(true);
    answers[0]!(Response.json([]));
    await calls[0];
    expect(client.waiting.slow()).toBe(true);
    answers[1]!(Response.json([]));
    await calls[1];
    expect(client.waiting.slow()).toBe(false);
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('is over when a call fails, and never said of a quick one', async () => {
    const client = new Client({ api: '' }, () => Promise.reject(new TypeError('failed to fetch')));
    await expect(client.call('GET /api/agents', {})).rejects.toThrow();
    vi.advanceTimersByTime(10 * unnoticedMs);
    expect(client.waiting.slow()).toBe(false);
  });
});
