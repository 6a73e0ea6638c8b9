import { clockHeader } from '../../../api/invoke';
import { readJson, writeJson } from '../../../ui/exact';
import { parseJson } from '../../../ui/json';
import type { Caller } from './input';

/** A call as other programs would make it. */
export interface CallText {
  url: string;
  agent: string;
  name: string;
  body: string;
  dataDir: string | undefined;
  key?: string;
  caller?: Caller;
  clock?: string;
}

/** The headers of a call beside who sends it. */
function headersOf({ key, caller, clock }: CallText): [string, string][] {
  const headers: [string, string][] = [['Content-Type', 'application/json']];
  if (key) headers.push(['Idempotency-Key', key]);
  if (caller && caller !== 'owner') headers.push(['Benchtop-Caller', caller]);
  if (clock) headers.push([clockHeader, clock]);
  return headers;
}

/** The call as a curl command. The owner's key is read from its file and never in the text. */
export function asCurl(call: CallText): string {
  const auth = call.dataDir ? `-H "Authorization: Bearer $(cat ${quote(`${call.dataDir}/owner.key`)})"` : '-H "Authorization: Bearer $BENCHTOP_KEY"';
  const lines = [`curl -sS -X POST ${quote(call.url)}`, auth, ...headersOf(call).map(([n, v]) => `-H ${quote(`${n}: ${v}`)}`), `-d ${quote(call.body)}`];
  return lines.join(' \\\n  ');
}

/** The call for the command line of Benchtop. */
export function asCli(call: CallText): string {
  const lines = [`benchtop fn invoke ${call.name} --agent ${call.agent}`, ...cliFlags(call.body)];
  if (call.key) lines.push(`--idempotency-key ${quote(call.key)}`);
  if (call.caller && call.caller !== 'owner') lines.push(`--as ${call.caller}`);
  if (call.clock) lines.push(`--at ${quote(call.clock)}`);
  return lines.join(' \\\n  ');
}

/** The flags that make a body of spec 4.2 again. */
function cliFlags(body: string): string[] {
  const b = readJson(body) as { args?: unknown; method?: string; path?: string; query?: Record<string, string>; headers?: Record<string, string>; body?: unknown };
  // The text of the arguments itself: a number of many digits would be rounded on the way.
  if ('args' in b) return [`--args ${quote(/^\{"args":([\s\S]*)\}$/.exec(body)?.[1] ?? writeJson(b.args))}`];
  if (!b.method) return ['--cron'];
  const query = new URLSearchParams(b.query ?? {}).toString();
  const flags = [`--http ${quote(`${b.method} ${b.path ?? '/'}${query ? `?${query}` : ''}`)}`];
  for (const [name, value] of Object.entries(b.headers ?? {})) flags.push(`--header ${quote(`${name}: ${value}`)}`);
  if (b.body !== undefined) flags.push(`--body ${quote(bodyText(b.body))}`);
  return flags;
}

/** A body for --body, which reads JSON as JSON, - as stdin and @ as a file. */
function bodyText(body: unknown): string {
  const plain = typeof body === 'string' && body !== '' && body !== '-' && !body.startsWith('@') && !parseJson(body).ok;
  return plain ? body : writeJson(body);
}

/** The call as JavaScript. The key comes from the environment. */
export function asFetch(call: CallText): string {
  const headers = [...headersOf(call).map(([n, v]) => `    ${JSON.stringify(n)}: ${JSON.stringify(v)},`), '    Authorization: `Bearer ${process.env.BENCHTOP_KEY}`,'];
  return [
    `const res = await fetch(${JSON.stringify(call.url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    ...headers,
    '  },',
    `  body: ${JSON.stringify(call.body)},`,
    '});',
    'console.log(await res.json());',
  ].join('\n');
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
