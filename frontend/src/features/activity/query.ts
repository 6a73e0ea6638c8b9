import type { Agent, InvocationRow } from '../../api/contract.gen';
import { t } from '../../i18n/t';

/** Some of the values of a column: any of them, and none of those left out. "*" stands for any text. */
export interface Choice {
  any: string[];
  none: string[];
}

/** A part of a query that says nothing: where it stands and what is wrong with it. */
export interface QueryProblem {
  text: string;
  message: string;
}

/** What a query asks for. Times are ISO texts, durations ms; all bounds are exclusive. */
export interface Query {
  fn: Choice;
  skill: Choice;
  status: Choice;
  code: Choice;
  agent?: string;
  longerMs?: number;
  shorterMs?: number;
  after?: string;
  before?: string;
  problems: QueryProblem[];
}

const columns = ['fn', 'skill', 'status', 'code'] as const;
type Column = (typeof columns)[number];

const statuses = ['ok', 'error', 'running', 'cancelled'];
const skills: Record<string, string> = {
  manual: 'manual',
  tool: 'custom_tools',
  tools: 'custom_tools',
  custom_tools: 'custom_tools',
  http: 'custom_http',
  custom_http: 'custom_http',
  endpoint: 'endpoint',
  cron: 'cron',
  nested: 'function',
  function: 'function',
  changes: 'authoring',
  authoring: 'authoring',
};

/** The parts of the language, for the help beside the field. */
export const syntax: readonly { example: string; meaning: string }[] = [
  { example: 'greet', meaning: t('functions with this in their name') },
  { example: 'fn:greet,quote', meaning: t('one of these functions; * stands for any text') },
  { example: 'status:error', meaning: statuses.join(', ') },
  { example: 'code:WALL_*', meaning: t('the error code') },
  { example: 'dur:>500ms dur:<2s', meaning: t('how long it took') },
  { example: 'skill:cron', meaning: t('manual, tool, http, endpoint, cron, nested, changes') },
  { example: 'after:1h before:10:30', meaning: t('a time, a day or how long ago') },
  { example: 'agent:mia', meaning: t('one agent of several') },
  { example: '-status:ok', meaning: t('all but these') },
];

/** Cuts a text at spaces that are not inside double quotes. */
function words(text: string): string[] {
  return text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
}

/** Reads a query. What cannot be read is a problem and filters nothing. */
export function parseQuery(text: string, now = new Date()): Query {
  const query: Query = { fn: none(), skill: none(), status: none(), code: none(), problems: [] };
  for (const word of words(text)) {
    const message = read(query, word, now);
    if (message) query.problems.push({ text: word, message });
  }
  return query;
}

const none = (): Choice => ({ any: [], none: [] });

/** Takes one word into the query; the answer is what is wrong with it. */
function read(query: Query, word: string, now: Date): string | undefined {
  const not = /^[-!]/.test(word);
  const rest = not ? word.slice(1) : word;
  const colon = rest.indexOf(':');
  const key = colon < 0 ? '' : rest.slice(0, colon).toLowerCase();
  const value = unquoted(colon < 0 ? rest : rest.slice(colon + 1));
  if (!value) return colon < 0 ? t('There is nothing behind the sign.') : t('There is no value behind {key}:', { key });
  if (colon < 0) {
    query.fn[not ? 'none' : 'any'].push(`*${value}*`);
    return undefined;
  }
  if ((columns as readonly string[]).includes(key)) return readColumn(query, key as Column, not, value);
  if (not) return t('{key}: cannot be turned round.', { key });
  switch (key) {
    case 'agent':
      query.agent = value;
      return undefined;
    case 'dur':
      return readDuration(query, value);
    case 'after':
    case 'before': {
      const at = readTime(value, now);
      if (!at) return t('{value} is no time: write 15m, 2h, 3d, today, 10:30, 2026-11-20 or 2026-11-20T10:30.', { value });
      query[key] = at.toISOString();
      return undefined;
    }
  }
  return t('There is no {key}: here; there are {columns}, dur, after, before and agent.', { key, columns: columns.join(', ') });
}

function readColumn(query: Query, column: Column, not: boolean, text: string): string | undefined {
  const values = text.split(',').filter(Boolean);
  const to = query[column][not ? 'none' : 'any'];
  for (const value of values) {
    if (column === 'status' && !value.includes('*') && !statuses.includes(value.toLowerCase())) {
      return t('{value} is no status; there are {statuses}.', { value, statuses: statuses.join(', ') });
    }
    const skill = skills[value.toLowerCase()];
    if (column === 'skill' && !skill && !value.includes('*')) {
      return t('{value} is no skill; there are manual, tool, http, cron, nested and changes.', { value });
    }
    to.push(column === 'status' ? value.toLowerCase() : column === 'skill' ? (skill ?? value) : value);
  }
  return undefined;
}

const units: Record<string, number> = { '': 1, ms: 1, s: 1000, m: 60_000 };

function readDuration(query: Query, text: string): string | undefined {
  const match = /^([<>])=?(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  if (!match) return t('{text} is no duration: write dur:>500ms or dur:<2s.', { text });
  const ms = Number(match[2]) * (units[match[3] ?? ''] ?? 1);
  if (match[1] === '>') query.longerMs = ms;
  else query.shorterMs = ms;
  return undefined;
}

const ago: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readTime(text: string, now: Date): Date | undefined {
  const back = /^(\d{1,6})([smhd])$/.exec(text);
  if (back) return new Date(now.getTime() - Number(back[1]) * (ago[back[2]!] ?? 0));
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (text === 'today') return day;
  if (text === 'yesterday') return new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1);
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (clock) {
    const [h, m, s] = [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)];
    return h < 24 && m < 60 && s < 60 ? new Date(day.getFullYear(), day.getMonth(), day.getDate(), h, m, s) : undefined;
  }
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text)) return undefined;
  // A day alone begins where the reader is, not in UTC.
  const at = new Date(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function unquoted(text: string): string {
  return text.replaceAll('"', '');
}

/** Whether the query lets everything through. */
export function isEmpty(query: Query): boolean {
  return Object.keys(searchParams(query)).length === 0;
}

/** The query as the platform's search takes it. */
export function searchParams(query: Query): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {};
  const names: Record<Column, string> = { fn: 'function', skill: 'skill', status: 'status', code: 'code' };
  for (const column of columns) {
    const values = [...query[column].any, ...query[column].none.map((v) => `!${v}`)];
    if (values.length) out[names[column]] = values;
  }
  if (query.agent) out.agent = query.agent;
  if (query.longerMs !== undefined) out.longerThanMs = String(query.longerMs);
  if (query.shorterMs !== undefined) out.shorterThanMs = String(query.shorterMs);
  if (query.after) out.after = query.after;
  if (query.before) out.before = query.before;
  return out;
}

/** Makes the same choice for rows that come live. */
export function matcher(query: Query, agents: readonly Agent[]): (row: InvocationRow) => boolean {
  const has = Object.fromEntries(columns.map((c) => [c, chooser(query[c])])) as Record<Column, (v: string) => boolean>;
  const agent = query.agent && agents.find((a) => a.username === query.agent || a.id === query.agent);
  const timed = query.longerMs !== undefined || query.shorterMs !== undefined;
  const after = query.after ? Date.parse(query.after) : -Infinity;
  const before = query.before ? Date.parse(query.before) : Infinity;
  return (row) => {
    if (timed && (row.source_skill === 'authoring' || row.status === 'running')) return false;
    if (query.agent && (!agent || row.agent_id !== agent.id)) return false;
    if (row.duration_ms <= (query.longerMs ?? -1) || row.duration_ms >= (query.shorterMs ?? Infinity)) return false;
    const at = Date.parse(row.started_at);
    if (at <= after || at >= before) return false;
    return has.fn(row.function_name) && has.skill(row.source_skill) && has.status(row.status) && has.code(row.error_code ?? '');
  };
}

function chooser(choice: Choice): (value: string) => boolean {
  const any = choice.any.map(pattern);
  const not = choice.none.map(pattern);
  return (value) => !not.some((p) => p.test(value)) && (any.length === 0 || any.some((p) => p.test(value)));
}

function pattern(text: string): RegExp {
  return new RegExp(`^${text.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*')}$`, 's');
}
