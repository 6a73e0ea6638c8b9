import { describe, expect, it } from 'vitest';
import { zones } from '../../ui/zones';
import { askFor, entryOf, newEntryOf, whenOf } from './when';

describe('when a schedule fires', () => {
  it.each([
    { cron: '*/5 * * * *' },
    { schedule: { frequency: 'daily', preferredTime: '09:30', timeZone: 'Asia/Kolkata' } },
    { schedule: { frequency: 'weekly', preferredTime: '08:00', preferredDay: 0, timeZone: 'UTC' } },
  ])('reads and writes %j', (entry) => expect(newEntryOf(whenOf({ id: 'x', use: 'f', ...entry }))).toEqual(entry));
  it('takes what the platform does where an entry is silent', () =>
    expect(whenOf({ schedule: { frequency: 'weekly' } }).words).toEqual({ frequency: 'weekly', preferredTime: '00:00', preferredDay: 0, timeZone: 'UTC' }));
  it('takes the other way out of an entry that is changed', () => {
    const was = whenOf({ cron: '0 3 * * *' });
    expect(entryOf({ ...was, way: 'words', words: { ...was.words, timeZone: 'Europe/Berlin' } })).toEqual({ cron: null, schedule: { frequency: 'daily', preferredTime: '09:00', timeZone: 'Europe/Berlin' } });
    expect(entryOf(was)).toEqual({ cron: '0 3 * * *', schedule: null });
  });
  it.each([null, 'nonsense', { schedule: null }, { schedule: 'daily', cron: 3 }])('makes something of %j', (entry) => expect(whenOf(entry)).toMatchObject({ way: 'cron', cron: '0 3 * * *' }));
  it('asks only about what is complete', () => {
    const was = whenOf(undefined);
    expect(askFor(was)).toEqual({ cron: '0 3 * * *' });
    expect(askFor({ ...was, cron: ' ' })).toBeUndefined();
    expect(askFor({ ...was, way: 'words', words: { ...was.words, preferredTime: '' } })).toBeUndefined();
  });
  it('knows UTC among all time zones, once', () => {
    expect(zones().filter((z) => z === 'UTC')).toHaveLength(1);
    expect(zones()).toContain('Europe/Berlin');
    expect(zones()).toContain('Asia/Kolkata');
    expect(zones()).not.toContain('Asia/Calcutta');
  });
});
