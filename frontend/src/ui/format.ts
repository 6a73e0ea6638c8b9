import { language, locale } from '../i18n/language';
import { t } from '../i18n/t';

/** 41 ms, 1.24 s, 2 m 5 s. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (ms < 1) return ms === 0 ? '0 ms' : `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** 0 B, 12.4 KB, 3.1 MB (binary). */
export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 * 1024) return `${(n / 1024).toFixed(1)} KB`;
  return `${(n / 1024 / 1024).toFixed(1)} MB`;
}

/**
 * A name that others chose, with what cannot be seen in it written out: line
 * ends, and signs that turn the order of letters round, by which a program can
 * pass for a picture.
 */
export function visible(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (c) => shortEscapes[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Made once: each costs more than a hundred uses.
const clockFormat = new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' });
const dateTimeFormat = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat(locale(), { month: 'short', day: 'numeric' });

// The rows of a list share most of their seconds, and each is written more than once.
const clocks = new Map<number, string>();
const keptClocks = 2_000;

/** The time of day with seconds, from an ISO text or ms since the epoch. */
export function clock(at: string | number): string {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(ms)) return '–';
  const second = Math.floor(ms / 1000);
  let text = clocks.get(second);
  if (text === undefined) {
    if (clocks.size >= keptClocks) clocks.clear();
    text = clockFormat.format(ms);
    clocks.set(second, text);
  }
  return text;
}

/** Whether a time is of the day that it is now. */
export function isToday(at: string): boolean {
  const ms = Date.parse(at);
  const begin = new Date().setHours(0, 0, 0, 0);
  return ms >= begin && new Date(ms).setHours(0, 0, 0, 0) === begin;
}

/** The time of day with milliseconds. */
export function clockMs(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return `${clock(at)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Date and time of day. */
export function dateTime(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return dateTimeFormat.format(date);
}

const minuteFormat = new Intl.DateTimeFormat(locale(), { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
const utcFormat = new Intl.DateTimeFormat(locale(), { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' });
const utcClockFormat = new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' });

/** A moment to come without its year and seconds: Mon, Nov 23, 4:00 AM. */
export function localMinute(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '–' : minuteFormat.format(date);
}

/** The same in UTC: 03:00 UTC, with the day where that is another one. */
export function utcMinute(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return `${(date.getUTCDate() === date.getDate() ? utcClockFormat : utcFormat).format(date)} UTC`;
}

/** The day without its year: Nov 20. */
export function day(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return dayFormat.format(date);
}

/** "just now", "4 min ago", "3 days ago". */
export function ago(at: string | number, now = Date.now()): string {
  const s = Math.round((now - new Date(at).getTime()) / 1000);
  if (Number.isNaN(s)) return '–';
  if (s < 45) return t('just now');
  const steps: [number, number, Intl.RelativeTimeFormatUnit][] = [
    [3600, 60, 'minute'],
    [86_400, 3600, 'hour'],
    [86_400 * 60, 86_400, 'day'],
    [Infinity, 86_400 * 30, 'month'],
  ];
  const [, unit, name] = steps.find(([below]) => s < below) ?? steps[3]!;
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-Math.max(1, Math.round(s / unit)), name);
}

/** "now", "in 4 min", "in 3 hours". */
export function until(at: string | number, now = Date.now()): string {
  const s = Math.round((new Date(at).getTime() - now) / 1000);
  if (Number.isNaN(s)) return '–';
  if (s <= 0) return t('now');
  const text = new Intl.RelativeTimeFormat(language(), { numeric: 'always', style: 'short' });
  if (s < 60) return text.format(s, 'second');
  if (s < 3600) return text.format(Math.round(s / 60), 'minute');
  if (s < 86_400 * 2) return text.format(Math.round(s / 3600), 'hour');
  return text.format(Math.round(s / 86_400), 'day');
}
