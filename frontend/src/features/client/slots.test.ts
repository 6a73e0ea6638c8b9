import { expect, it } from 'vitest';
import { atOnce, takeSlot } from './slots';

/** Locks as browsers have them, of one browser. */
function browser() {
  const held = new Set<string>();
  return {
    async request(name: string, _: LockOptions, work: (lock: Lock | null) => unknown) {
      if (held.has(name)) return work(null);
      held.add(name);
      try {
        return await work({ name, mode: 'exclusive' });
      } finally {
        held.delete(name);
      }
    },
  } as unknown as LockManager;
}

it('gives all tabs together a few places, and each again once it is left', async () => {
  const locks = browser();
  const leave = [];
  for (let i = 0; i < atOnce; i++) leave.push(await takeSlot(locks));
  await expect(takeSlot(locks)).rejects.toThrow('some of them in other tabs');
  leave[1]!();
  leave.push(await takeSlot(locks)); // at once, though a lock is free a moment after it was left
  await expect(takeSlot(locks)).rejects.toThrow();
});

const nobody = undefined as unknown as LockManager;

it('does without where a page cannot find out about others', async () => {
  for (let i = 0; i < 10; i++) expect(await takeSlot(nobody)).toBeTypeOf('function');
});
