import type { TraceEntry } from '../api/contract.gen';
import { t } from '../i18n/t';
import { isObject } from '../ui/schema/schema';
import { allow, type ManifestEdit } from './edit';
import { besideCode } from '../ui/errorText';
import { arg, askedBy, kvMode, memberOf, permissionsOf, urlOf, type Permissions } from './grants';

/** Why something was refused, and what would let it through. */
export interface Why {
  /** The rule that was tried: 'permissions.fetch'. */
  rule: string;
  /** What was tried: an address, a member of ctx with what it was about. */
  tried: string;
  /** What the rule allows now. */
  allowed: string[];
  /** The allowed thing that comes nearest, and how it differs. */
  nearest?: string;
  /** The function whose manifest decides, where it is not that of the call. */
  of?: string;
  /** The smallest change first. Empty when no manifest would let it through. */
  edits: ManifestEdit[];
  /** What the platform said of it; it knows of more rules than those of a manifest. */
  said: string;
}

type Found = Omit<Why, 'said'>;

const codes = ['PERMISSION_DENIED', 'FETCH_FORBIDDEN', 'FN_CYCLE_DETECTED'];

const refused = (e: TraceEntry) => e.error !== undefined && codes.includes(e.error.code);
/** A call of a function that was not even begun, since it runs already. */
const cycle = (e: TraceEntry) => e.error?.code === 'FN_CYCLE_DETECTED' && !e.invocationId;
const nested = (e: TraceEntry) => (e.name === 'fn.invoke' && !cycle(e)) || Boolean(e.invocationId);

/** The entries of a trace that were refused for want of a permission. */
export function deniedIn(trace: readonly TraceEntry[]): TraceEntry[] {
  return trace.filter((e) => refused(e) && !nested(e));
}

/** The runs inside this one that ended with a refusal of their own: the rule is in their manifests. */
export function deniedInside(trace: readonly TraceEntry[]): string[] {
  return [...new Set(trace.filter((e) => refused(e) && nested(e)).flatMap((e) => e.invocationId ?? []))];
}

/** Reads a refusal against the manifest that ran. */
export function whyDenied(entry: TraceEntry, manifest: unknown): Why {
  const p = permissionsOf(manifest);
  const why = entry.kind === 'fetch' ? whyFetch(entry, p) : whyCall(entry, p);
  const m = isObject(manifest) ? manifest : {};
  // What is granted already was not what it lacked.
  const edits = why.edits.filter((e) => why.of !== undefined || JSON.stringify(e.apply(m)) !== JSON.stringify(m));
  return { ...why, edits, said: besideCode(entry.error?.code, entry.error?.message) };
}

function whyFetch(entry: TraceEntry, p: Permissions): Found {
  const first = urlOf(entry);
  const next = isObject(entry.args) && typeof entry.args.refused === 'string' && URL.canParse(entry.args.refused) ? new URL(entry.args.refused) : undefined;
  const url = next ?? first;
  const why: Found = { rule: 'permissions.fetch', tried: next ? t('{address}, where {name} was redirected', { address: next.href, name: entry.name }) : entry.name, allowed: p.fetch, edits: [] };
  if (!url || !/^https?:$/.test(url.protocol)) return { ...why, nearest: url ? t('only http and https can be fetched, not {protocol}', { protocol: url.protocol }) : undefined };
  if (url.username || url.password) return { ...why, nearest: t('an address with a user name or password is never fetched') };
  if (url.pathname !== '/') why.edits.push(allow.fetch(url.origin + url.pathname));
  why.edits.push(allow.fetch(url.origin));
  return { ...why, nearest: nearestPattern(p.fetch, url) };
}

/** Which allowed pattern an address comes closest to, and what it lacks. */
export function nearestPattern(patterns: readonly string[], url: URL): string | undefined {
  let best: { score: number; text: string } | undefined;
  const offer = (score: number, text: string) => {
    if (!best || score > best.score) best = { score, text };
  };
  for (const pattern of patterns) {
    if (pattern === '*') {
      offer(1, t('"*" does not open addresses of this machine or its network; name the host'));
      continue;
    }
    if (pattern.startsWith('*.')) {
      const host = pattern.slice(2).toLowerCase();
      if (url.hostname === host) offer(6, t('{pattern} is any name below {host}, not {host} itself', { pattern, host }));
      else if (url.hostname.endsWith(`.${host}`)) offer(4, t('{pattern} does not open addresses of this machine or its network; name the host', { pattern }));
      else offer(shared(host, url.hostname), t('{pattern} is another host', { pattern }));
      continue;
    }
    if (!URL.canParse(pattern)) continue;
    const want = new URL(pattern);
    if (want.hostname === url.hostname) {
      if (want.protocol !== url.protocol) offer(8, t('{pattern} is {protocol}, this was {protocol2}', { pattern, protocol: want.protocol.slice(0, -1), protocol2: url.protocol.slice(0, -1) }));
      else if (want.port !== url.port) offer(8, t('{pattern} is another port', { pattern }));
      else if (want.search) offer(9, t('{pattern} is that very address only', { pattern }));
      else offer(9, t('{pattern} is {pathname} and what lies below it', { pattern, pathname: want.pathname }));
    } else offer(shared(want.hostname, url.hostname), t('{pattern} is another host', { pattern }));
  }
  return best?.text;
}

/** How many labels two hosts share from the end, as a small score. */
function shared(a: string, b: string): number {
  const x = a.split('.').reverse();
  const y = b.split('.').reverse();
  let n = 0;
  while (n < x.length && x[n] === y[n]) n++;
  return n > 1 ? 2 + n / 10 : n / 10;
}

function whyCall(entry: TraceEntry, p: Permissions): Found {
  const args = isObject(entry.args) ? entry.args : {};
  const text = (name: string) => (typeof args[name] === 'string' ? args[name] : '');
  const [space = '', call = ''] = entry.name.split(/\.(.*)/s);
  const why: Found = { rule: `permissions.${space}`, tried: `ctx.${memberOf(entry.name)}`, allowed: [], edits: [] };
  switch (space) {
    case 'kv':
      return whyKv(entry, p, { ...why, tried: text('key') ? `${why.tried} ${JSON.stringify(text('key'))}` : why.tried });
    case 'secrets': {
      const name = text('name');
      why.allowed = p.secrets;
      if (!name) return { ...why, nearest: t('the name of any secret in permissions.secrets opens this') };
      const same = p.secrets.find((s) => s.toLowerCase() === name.toLowerCase() && s !== name);
      if (same) why.nearest = t('{same} is allowed; the names differ in case', { same });
      else if (call === 'put' && p.secrets.includes(name)) why.nearest = t('{name} may be read; writing needs "write" beside it', { name });
      return { ...why, tried: `${why.tried} ${JSON.stringify(name)}`, edits: [allow.secret(name, call === 'put')] };
    }
    case 'content':
      why.allowed = (['read', 'write'] as const).filter((k) => p.content[k]).map((k) => `content ${k}`);
      return { ...why, edits: [allow.content(call === 'read' || call === 'get' ? 'read' : 'write')] };
    case 'folders': {
      const alias = text('binding');
      const bound = p.folders.find((f) => f.alias === alias);
      const mode = call === 'write' ? 'rw' : 'ro';
      why.allowed = p.folders.map((f) => `${f.alias} ${f.permissions}`);
      why.tried = `ctx.folders[${JSON.stringify(alias)}].${call}`;
      if (bound && (mode === 'ro' || bound.permissions === 'rw')) return why; // it is the folder itself that cannot be used
      if (bound) why.nearest = t('{alias} is bound as "{permissions}"', { alias, permissions: bound.permissions });
      return { ...why, edits: alias ? [allow.folder(alias, mode)] : [] };
    }
    case 'fn': {
      const name = text('name');
      return { ...why, rule: 'permissions.selfRecursion', tried: `${why.tried} ${JSON.stringify(name)}`, nearest: t('{name} runs already in this chain; its own manifest says whether it may be called again', { name }), of: name, edits: [allow.flag('selfRecursion')] };
    }
    case 'portal': {
      const binding = arg(entry, 'secretBinding');
      // A secret that is asked about must be declared like one that is read.
      if (call === 'verifyHmac' && binding && p.portal.includes(call)) return { ...why, rule: 'permissions.secrets', tried: `${why.tried} ${JSON.stringify(binding)}`, allowed: p.secrets, edits: [allow.secret(binding)] };
      return { ...why, allowed: p.portal, edits: [allow.portal(call)] };
    }
  }
  return why;
}

/** The platform names the part of the store, and the mode, that a call lacks. */
const lacks = /this needs "(\w+)": "(?:ro|rw)"/;

function whyKv(entry: TraceEntry, p: Permissions, why: Found): Found {
  const reads = askedBy(entry)?.by.includes('kv:ro');
  const mode = reads ? 'ro' : 'rw';
  const scope = arg(entry, 'scope');
  const user = arg(entry, 'user_id');
  const said = entry.error?.message ?? '';
  const part = lacks.exec(said)?.[1];
  const found = { ...why, allowed: [`kv: ${JSON.stringify(p.kv)}`] };
  if (scope === 'agent') return { ...found, tried: t("{call} in the agent's part", { call: why.tried }), edits: [allow.kvPart('agent_scope', true)] };
  if (part === 'visitor') return { ...found, tried: t('{call} of the visitor {user}', { call: why.tried, user }), edits: [allow.kvPart('visitor', mode)] };
  if (part && part !== 'self') return { ...found, tried: t('{call} in scope {scope}', { call: why.tried, scope }), nearest: t('this part belongs to a widget, and no widget calls functions here') };
  if (user && kvMode(p.kv) !== 'none' && part === undefined) return { ...found, tried: t('{call} of the visitor {user}', { call: why.tried, user }) };
  if (!reads && (p.kv === 'ro' || (isObject(p.kv) && p.kv.self === 'ro'))) found.nearest = t('kv is "ro": it may read and not write');
  return { ...found, edits: [allow.kv(mode)] };
}
