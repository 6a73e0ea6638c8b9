import { t } from '../../i18n/t';

// A run's clock begins at a moment, which travels and is kept as one text, RFC
// 3339 with the time zone in which its author thinks of it:
// 2026-12-31T23:59:50+01:00[Europe/Berlin].

/** A moment in a time zone; without one the offset of its text counts. */
export interface Moment {
  ms: number;
  zone: string | undefined;
}

const second = 1_000;
const hour = 3_600 * second;
const dayMs = 24 * hour;

/** What the platform takes, both in UTC. */
const firstMs = 0;
const endMs = Date.UTC(9999, 0, 1);
const inReach = (ms: number) => ms >= firstMs && ms < endMs;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
    formats.set(zone, format);
  }
  return format;
}

/** What a clock of the zone shows, as if it were one of UTC. */
function shownIn(ms: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) part[type] = Number(value);
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second) + (((ms % second) + second) % second);
}

/**
 * The moment at which a clock of the zone shows this, given as if it were one of
 * UTC. Where it shows it twice, the first; where never, as much later as the
 * clock is put forward.
 */
export function msIn(shown: number, zone: string): number {
  // The offsets of a day before and a day after are all that can count.
  const [before, after] = [shown - dayMs, shown + dayMs].map((ms) => shownIn(ms, zone) - ms) as [number, number];
  const first = shown - Math.max(before, after);
  const second = shown - Math.min(before, after);
  if (shownIn(first, zone) === shown) return first;
  if (shownIn(second, zone) === shown) return second;
  return shown - before;
}

const two = (n: number) => String(n).padStart(2, '0');

function dayAndTime(shown: number, between: string): string {
  const text = new Date(shown).toISOString().slice(0, 23).replace('T', between);
  return text.endsWith('.000') ? text.slice(0, -4) : text;
}

/** The text of a moment, as the platform takes it. */
export function wireOf(ms: number, zone: string): string {
  const shown = shownIn(ms, zone);
  const minutes = Math.round((shown - ms) / 60_000);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  // Of an offset with seconds, as of long ago, only the minutes can be written.
  return `${dayAndTime(ms + minutes * 60_000, 'T')}${offset}[${zone}]`;
}

const wireForm = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:\d\d)(?:\[([\w/+-]+)\])?$/;

/** Reads the text of a moment; undefined for anything else. */
export function readMoment(text: unknown): Moment | undefined {
  const match = typeof text === 'string' ? wireForm.exec(text) : null;
  if (!match) return undefined;
  const ms = Date.parse(`${match[1]}T${match[2]}${match[3]!.toUpperCase()}`);
  if (Number.isNaN(ms) || !inReach(ms)) return undefined;
  return { ms, zone: match[4] && isZone(match[4]) ? match[4] : undefined };
}

/** Whether this browser knows the time zone. */
function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** A moment as it is shown: 2026-12-31 23:59:50 Europe/Berlin. What cannot be read stays as it is. */
export function momentText(wire: string, withZone = true): string {
  const moment = readMoment(wire);
  if (!moment) return wire;
  if (moment.zone) return dayAndTime(shownIn(moment.ms, moment.zone), ' ') + (withZone ? ` ${moment.zone}` : '');
  const [, date, time, offset] = wireForm.exec(wire)!;
  return `${date} ${time} ${/^z$/i.test(offset!) ? 'UTC' : offset}`;
}

export type Typed = { ok: true; ms: number } | { ok: false; problem: string };

const units: Readonly<Record<string, number>> = { s: second, m: 60 * second, h: hour, d: dayMs, w: 7 * dayMs };

/** Reads what a person typed: a day, a time of day, both, a moment with its offset, seconds or ms since 1970, or how far away. */
export function typedMoment(typed: string, zone: string, now: number): Typed {
  const text = typed.trim();
  const ms = typedMs(text, zone, now);
  if (ms === undefined || Number.isNaN(ms)) return { ok: false, problem: t('Write a day and a time such as 2026-12-31 23:59:50, or how far away: +2h, +30d.') };
  if (!inReach(ms)) return { ok: false, problem: t('The clock can begin in the years 1970 to 9998.') };
  return { ok: true, ms };
}

function typedMs(text: string, zone: string, now: number): number | undefined {
  if (text === 'now') return now;
  const away = /^([+-])\s*(\d+)\s*([smhdw])$/i.exec(text);
  if (away) return now + (away[1] === '-' ? -1 : 1) * Number(away[2]) * units[away[3]!.toLowerCase()]!;
  // Seconds have ten digits from 2001 to 2286, and milliseconds three more.
  if (/^\d{9,10}$/.test(text)) return Number(text) * second;
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const [, date, time, offset] = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?([Zz]|[+-]\d\d:\d\d)(?:\[[\w/+-]+\])?$/.exec(text) ?? [];
  if (offset) return Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  const local = /^(?:(\d{4})-(\d\d?)-(\d\d?))?(?:(?:^|[Tt ]\s*)(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?$/.exec(text);
  if (!local || text === '') return undefined;
  const today = new Date(shownIn(now, zone));
  const [year, month, day] = local[1] ? [Number(local[1]), Number(local[2]) - 1, Number(local[3])] : [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const [hours, minutes, seconds, part] = [4, 5, 6].map((i) => Number(local[i] ?? 0)).concat(Number((local[7] ?? '').padEnd(3, '0'))) as [number, number, number, number];
  const shown = Date.UTC(year, month, day, hours, minutes, seconds, part);
  const read = new Date(shown);
  // February has no 30th, and a day no 24th hour.
  if (read.getUTCMonth() !== month || read.getUTCDate() !== day || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return msIn(shown, zone);
}

export interface Preset {
  id: string;
  label: string;
  ms: number;
}

/** Moments that functions by schedule and things that expire stumble over, as a clock of the zone shows them. */
export function presetsAt(now: number, zone: string): Preset[] {
  const shown = new Date(Math.floor(shownIn(now, zone) / second) * second);
  const [year, month] = [shown.getUTCFullYear(), shown.getUTCMonth()];
  const later = (days: number) => msIn(shown.getTime() + days * dayMs, zone);
  const next = (of: (year: number) => number) => {
    let y = year;
    while (Number.isNaN(of(y)) || of(y) <= now) y++;
    return of(y);
  };
  const leap = (y: number) => (new Date(Date.UTC(y, 1, 29)).getUTCMonth() === 1 ? msIn(Date.UTC(y, 1, 29), zone) : NaN);
  const presets: Preset[] = [
    { id: 'tomorrow', label: t('Tomorrow, at this time'), ms: later(1) },
    { id: 'month', label: t('In 30 days'), ms: later(30) },
    { id: 'first', label: t('The first of next month'), ms: msIn(Date.UTC(year, month + 1, 1), zone) },
    { id: 'newYear', label: t("New Year's Eve, 10 s before midnight"), ms: next((y) => msIn(Date.UTC(y, 11, 31, 23, 59, 50), zone)) },
    { id: 'leap', label: t('29 February'), ms: next(leap) },
  ];
  const { forward, back } = nextChanges(now, zone);
  if (forward !== undefined) presets.push({ id: 'forward', label: t('10 s before clocks go forward'), ms: forward - 10 * second });
  if (back !== undefined) presets.push({ id: 'back', label: t('10 s before clocks go back'), ms: back - 10 * second });
  return presets.filter((p) => inReach(p.ms));
}

/** When the clocks of the zone are put forward and back next, within the next 400 days. */
function nextChanges(now: number, zone: string): { forward?: number; back?: number } {
  const offset = (ms: number) => shownIn(ms, zone) - ms;
  const found: { forward?: number; back?: number } = {};
  // A moment too near is no moment to come: what is looked at begins before it.
  const begin = Math.floor(now / second) * second + 10 * second;
  let was = offset(begin);
  for (let week = 0; week * 7 < 400; week++) {
    let [low, high] = [begin + week * 7 * dayMs, begin + (week + 1) * 7 * dayMs];
    const is = offset(high);
    const way = is > was ? 'forward' : 'back';
    if (is !== was && found[way] === undefined) {
      while (high - low > second) {
        const middle = low + Math.floor((high - low) / 2 / second) * second;
        if (offset(middle) === was) low = middle;
        else high = middle;
      }
      found[way] = high;
    }
    was = is;
  }
  return found;
}
