import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paced } from './paced';

describe('paced', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('runs before the next picture', () => {
    const run = vi.fn(() => 1);
    paced()(run);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersToNextFrame();
    expect(run).toHaveBeenCalledOnce();
  });
  it('waits after many rows, but not for long', () => {
    const schedule = paced();
    const ran: number[] = [];
    const run = (n: number) => () => {
      ran.push(performance.now());
      return n;
    };
    for (const n of [1, 5_000, 1]) {
      schedule(run(n));
      vi.advanceTimersToNextFrame();
      vi.advanceTimersByTime(16);
    }
    expect(ran).toHaveLength(2);
    vi.advanceTimersByTime(200);
    expect(ran).toHaveLength(3);
    expect(ran[2]! - ran[1]!).toBeGreaterThanOrEqual(200);
  });
  it('takes changes in where no pictures are drawn', () => {
    vi.stubGlobal('requestAnimationFrame', () => 1);
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
    const run = vi.fn(() => 1);
    paced()(run);
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});
