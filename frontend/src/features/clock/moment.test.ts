import { describe, expect, it } from 'vitest';
import { momentText, msIn, presetsAt, readMoment, typedMoment, wireOf } from './moment';

const berlin = 'Europe/Berlin';
const at = (iso: string) => Date.parse(iso);

describe('a moment in a time zone', () => {
  it.each([
    ['2026-12-31T22:59:50Z', berlin, '2026-12-31T23:59:50+01:00[Europe/Berlin]', '2026-12-31 23:59:50 Europe/Berlin'],
    ['2026-07-01T00:00:00Z', berlin, '2026-07-01T02:00:00+02:00[Europe/Berlin]', '2026-07-01 02:00:00 Europe/Berlin'],
    ['2028-02-29T00:00:00Z', 'UTC', '2028-02-29T00:00:00+00:00[UTC]', '2028-02-29 00:00:00 UTC'],
    ['2026-01-01T00:00:00Z', 'America/St_Johns', '2025-12-31T20:30:00-03:30[America/St_Johns]', '2025-12-31 20:30:00 America/St_Johns'],
    ['2026-01-01T00:00:00.250Z', 'Asia/Kolkata', '2026-01-01T05:30:00.250+05:30[Asia/Kolkata]', '2026-01-01 05:30:00.250 Asia/Kolkata'],
  ])('%s in %s is sent and shown', (iso, zone, wire, text) => {
    expect(wireOf(at(iso), zone)).toBe(wire);
    expect(readMoment(wire)).toEqual({ ms: at(iso), zone });
    expect(momentText(wire)).toBe(text);
  });
  it.each([
    ['2026-12-31T23:59:50+01:00', '2026-12-31 23:59:50 +01:00'],
    ['2026-12-31T23:59:50Z', '2026-12-31 23:59:50 UTC'],
    ['2026-12-31T23:59:50+01:00[Mars/Olympus]', '2026-12-31 23:59:50 +01:00'],
  ])('%s, without a zone that is known here, is shown by its offset', (wire, text) => expect(momentText(wire)).toBe(text));
  it.each(['', 'live', '2026-12-31', '2026-12-31T23:59:50', '2026-13-01T00:00:00Z', '1969-01-01T00:00:00Z', '9999-01-01T00:00:00Z', 7, null])('%j is none', (text) => expect(readMoment(text)).toBeUndefined());
});

describe('a day and a time of day', () => {
  it.each([
    ['2027-03-28T02:30:00', berlin, '2027-03-28T01:30:00Z', 'a time that is left out is as much later'],
    ['2026-10-25T02:30:00', berlin, '2026-10-25T00:30:00Z', 'of a time that comes twice it is the first'],
    ['2026-10-25T03:00:00', berlin, '2026-10-25T02:00:00Z', 'an hour that comes once'],
    ['2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00Z', 'also west of Greenwich'],
    ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00Z', 'and the first there'],
    ['2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00Z', 'a day that was left out'],
  ])('%s in %s: %s (%s)', (local, zone, iso) => expect(new Date(msIn(Date.parse(`${local}Z`), zone)).toISOString()).toBe(new Date(iso).toISOString()));
});

describe('what is typed', () => {
  const now = at('2026-11-22T14:30:15.500Z'); // 15:30 in Berlin
  const typed = (text: string, zone = berlin) => {
    const read = typedMoment(text, zone, now);
    return read.ok ? wireOf(read.ms, zone) : read.problem;
  };
  it.each([
    ['2026-12-31 23:59:50', '2026-12-31T23:59:50+01:00[Europe/Berlin]'],
    ['2026-12-31T23:59', '2026-12-31T23:59:00+01:00[Europe/Berlin]'],
    [' 2026-12-31 ', '2026-12-31T00:00:00+01:00[Europe/Berlin]'],
    ['2026-7-1 8:05', '2026-07-01T08:05:00+02:00[Europe/Berlin]'],
    ['03:00', '2026-11-22T03:00:00+01:00[Europe/Berlin]'],
    ['23:59:59.999', '2026-11-22T23:59:59.999+01:00[Europe/Berlin]'],
    ['2026-12-31T12:00:00Z', '2026-12-31T13:00:00+01:00[Europe/Berlin]'],
    ['2026-12-31T12:00:00-05:00', '2026-12-31T18:00:00+01:00[Europe/Berlin]'],
    ['2026-12-31T12:00:00Z[Asia/Tokyo]', '2026-12-31T13:00:00+01:00[Europe/Berlin]'],
    ['+2h', '2026-11-22T17:30:15.500+01:00[Europe/Berlin]'],
    ['-30 d', '2026-10-23T16:30:15.500+02:00[Europe/Berlin]'],
    ['+90s', '2026-11-22T15:31:45.500+01:00[Europe/Berlin]'],
    ['1798757990', '2026-12-31T23:59:50+01:00[Europe/Berlin]'],
    ['1798757990000', '2026-12-31T23:59:50+01:00[Europe/Berlin]'],
    ['now', '2026-11-22T15:30:15.500+01:00[Europe/Berlin]'],
  ])('%j is %s', (text, want) => expect(typed(text)).toBe(want));
  it.each(['', 'soon', '2026-02-29', '2026-13-01', '2026-12-31 24:00', '12:60', '31.12.2026', '+2', '2026-12-31 23:59:50 Uhr'])('%j is nothing', (text) => expect(typedMoment(text, berlin, now)).toMatchObject({ ok: false }));
  it.each(['1969-12-31', '9999-01-02', '+9999999d'])('%s is out of reach', (text) => expect(typed(text)).toContain('1970'));
});

describe('presets', () => {
  const list = (now: string, zone: string) => Object.fromEntries(presetsAt(at(now), zone).map((p) => [p.id, momentText(wireOf(p.ms, zone))]));
  it('are what crons and expiries stumble over', () =>
    expect(list('2026-11-22T14:30:15.500Z', berlin)).toEqual({
      tomorrow: '2026-11-23 15:30:15 Europe/Berlin',
      month: '2026-12-22 15:30:15 Europe/Berlin',
      first: '2026-12-01 00:00:00 Europe/Berlin',
      newYear: '2026-12-31 23:59:50 Europe/Berlin',
      leap: '2028-02-29 00:00:00 Europe/Berlin',
      forward: '2027-03-28 01:59:50 Europe/Berlin',
      back: '2027-10-31 02:59:50 Europe/Berlin',
    }));
  it('follow the clock over its change', () => expect(list('2027-03-27T10:00:00Z', berlin).tomorrow).toBe('2027-03-28 11:00:00 Europe/Berlin'));
  it('are later than now', () => {
    expect(list('2028-02-29T12:00:00Z', 'UTC').leap).toBe('2032-02-29 00:00:00 UTC');
    expect(list('2096-03-01T00:00:00Z', 'UTC').leap).toBe('2104-02-29 00:00:00 UTC');
    expect(list('2026-12-31T23:59:55Z', 'UTC')).toMatchObject({ newYear: '2027-12-31 23:59:50 UTC', first: '2027-01-01 00:00:00 UTC' });
  });
  it('know that some clocks are never changed', () => expect(Object.keys(list('2026-11-22T14:30:15Z', 'Asia/Tokyo'))).toEqual(['tomorrow', 'month', 'first', 'newYear', 'leap']));
});
