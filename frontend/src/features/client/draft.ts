import type { AgentEndpoint, AgentEndpointList, AgentRoute, ClientCaller, ClientRequest, HeaderPair } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import { exampleOf } from '../../ui/schema/example';
import { problemOfFile, sameFile, typed, type BodyFile } from './bodyFile';
import { sentCaller } from './caller';
import { isCredential } from './credentials';

export type RequestKind = 'http' | 'websocket' | 'sse';

/** A request as it stands in the editor. Headers are lines of "Name: value". */
export interface Draft {
  method: string;
  path: string;
  headers: string;
  body: string;
  /** Is sent in place of the text, unless the text was chosen again. */
  file?: BodyFile | undefined;
  asText?: boolean | undefined;
  /** Whether the body lost something that looks like a credential when its tab was closed. */
  withheld?: boolean | undefined;
  /** Whether an answer that leads elsewhere is the last one. */
  noFollow?: boolean | undefined;
  caller: ClientCaller;
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export const takesBody = (method: string): boolean => !['GET', 'HEAD'].includes(method);

export function firstDraft(kind: RequestKind, agent: string): Draft {
  return { method: 'GET', path: `/${agent}/`, headers: kind === 'sse' ? 'Accept: text/event-stream' : '', body: '', caller: { kind: 'owner' } };
}

/** Reads header lines. A line that is none is a problem in words. */
export function readHeaders(text: string): { headers: HeaderPair[] } | { problem: string } {
  const headers: HeaderPair[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim();
    if (at < 1 || /\s/.test(name)) return { problem: t('"{line}" is no header: write Name: value', { line: line.trim().slice(0, 40) }) };
    headers.push({ name, value: line.slice(at + 1).trim() });
  }
  return { headers };
}

/** Why a draft cannot be sent yet. */
export function problemOf(draft: Draft): { field: 'path' | 'headers' | 'token' | 'file'; text: string } | undefined {
  if (!draft.path.startsWith('/')) return { field: 'path', text: t('A path begins with a slash') };
  const open = /\{[^}]*\}|\/:\w+/.exec(draft.path.split('?')[0]!);
  if (open) return { field: 'path', text: t('Put a value in place of {open}', { open: open[0].replace(/^\//, '') }) };
  const read = readHeaders(draft.headers);
  if ('problem' in read) return { field: 'headers', text: read.problem };
  const empty = read.headers.find((h) => h.value === '' && isCredential(h.name));
  if (empty) return { field: 'headers', text: t('{name} has no value. Saved calls keep none: write it, or remove the line', { name: empty.name }) };
  if (draft.caller.kind === 'bearer' && !draft.caller.token?.trim()) return { field: 'token', text: t('Paste a token or an API key') };
  const file = fileOf(draft);
  const missing = file && problemOfFile(file);
  if (missing) return { field: 'file', text: missing };
  return undefined;
}

/** The file that a draft sends, if it does. */
export const fileOf = (draft: Draft): BodyFile | undefined => (takesBody(draft.method) && !draft.asText ? draft.file : undefined);

/** The request of a draft that has no problem. Its file goes beside it. */
export function requestOf(kind: RequestKind, draft: Draft, id: string): ClientRequest {
  const read = readHeaders(draft.headers);
  const headers = 'headers' in read ? read.headers : [];
  const caller = sentCaller(draft.caller);
  if (kind === 'websocket') return { id, webSocket: true, path: draft.path, headers, caller };
  const body = takesBody(draft.method) && draft.body && !fileOf(draft) ? { body: draft.body } : {};
  return { id, method: draft.method, path: draft.path, headers, caller, ...body, ...(draft.noFollow ? {} : { follow: true }) };
}

/** The draft that made a request. */
export function draftOf(r: ClientRequest, file?: BodyFile): Draft {
  return { method: r.method ?? 'GET', path: r.path, headers: (r.headers ?? []).map((h) => `${h.name}: ${h.value}`).join('\n'), body: r.body ?? '', ...(file ? { file } : {}), noFollow: r.follow || r.webSocket ? undefined : true, caller: r.caller };
}

const sentFile = (draft: Draft): BodyFile | undefined => (draft.asText ? undefined : draft.file);

/** Whether two drafts are the same request, whoever sends it. */
export function sameRequest(a: Draft, b: Draft): boolean {
  const [one, other] = [sentFile(a), sentFile(b)];
  return a.method === b.method && a.path === b.path && a.headers.trim() === b.headers.trim() && sameFile(one, other) && (one !== undefined || a.body === b.body);
}

/** The editor that a request belongs to. */
export function kindOf(r: ClientRequest): RequestKind {
  if (r.webSocket) return 'websocket';
  return (r.headers ?? []).some((h) => h.name.toLowerCase() === 'accept' && h.value.includes('text/event-stream')) ? 'sse' : 'http';
}

/** A request as a curl command. Credentials are never in it: the owner's key is read from its file. */
export function asCurl(request: ClientRequest, url: string, dataDir: string | undefined, file?: BodyFile): string {
  const r = file ? typed(request, file) : request;
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [`curl -sS${kindOf(r) === 'sse' ? 'N' : ''}i${r.follow ? 'L' : ''} -X ${r.method ?? 'GET'} ${quote(url)}`];
  if (r.caller.kind === 'owner') lines.push(dataDir ? `-H "Authorization: Bearer $(cat ${quote(`${dataDir}/owner.key`)})"` : '-H "Authorization: Bearer $BENCHTOP_KEY"');
  if (r.caller.kind === 'bearer') lines.push('-H "Authorization: Bearer $TOKEN"');
  if (r.caller.kind === 'admin') lines.push('-H "Authorization: Bearer $ADMIN_KEY"');
  if (r.caller.kind === 'visitor') lines.push('-H "Cookie: $VISITOR_COOKIE"');
  if (r.caller.payment) lines.push('-H "X-PAYMENT: $PAYMENT_TOKEN"');
  for (const h of r.headers ?? []) lines.push(`-H ${quote(`${h.name}: ${h.value}`)}`);
  if (file) lines.push(`--data-binary ${quote(`@${file.name}`)}`);
  if (r.body) lines.push(`--data-binary ${quote(r.body)}`);
  return lines.join(' \\\n  ');
}

/** Something an agent serves, with the editor it opens in. */
export interface Served {
  key: string;
  group: string;
  route: AgentRoute;
  kind: RequestKind;
  endpoint?: AgentEndpoint;
}

const groups: Record<string, string> = { endpoint: t('Endpoints'), custom_http: t('Functions'), completions: t('Chat completions'), a2a: 'A2A', uamp: 'UAMP', hello: t('Hello') };

/** What an agent serves, its own things first. */
export function servedOf(list: AgentEndpointList): Served[] {
  const byId = new Map(list.endpoints.map((e) => [e.id, e]));
  const all = list.routes.map((route, i): Served => {
    const endpoint = route.kind === 'endpoint' && route.id ? byId.get(route.id) : undefined;
    const ws = endpoint ? endpoint.kind === 'ws' : route.kind === 'uamp' && route.method === 'GET' && route.path.endsWith('/uamp');
    return {
      key: `${i}:${route.method} ${route.path}`,
      group: route.default ? t('Always there') : (groups[route.kind] ?? route.kind),
      route,
      kind: ws ? 'websocket' : endpoint?.kind === 'sse' ? 'sse' : 'http',
      ...(endpoint ? { endpoint } : {}),
    };
  });
  const rank = (s: Served) => (s.route.default ? 3 : s.route.kind === 'endpoint' ? 0 : s.route.kind === 'custom_http' ? 1 : 2);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** The draft for a click on something served; the caller stays who it was. */
export function draftFor(agent: string, served: Served, caller: ClientCaller): Draft {
  const method = served.kind === 'websocket' ? 'GET' : served.route.method || 'GET';
  const own = `/${agent}`;
  const path = served.route.path.startsWith(`${own}/`) ? served.route.path : own + served.route.path;
  const lines = served.kind === 'sse' ? ['Accept: text/event-stream'] : [];
  let body = '';
  if (method !== 'GET' && takesBody(method) && method !== 'DELETE') {
    lines.push('Content-Type: application/json');
    body = JSON.stringify(bodyExample(served.endpoint?.parameters, path), null, 2);
  }
  return { method, path, headers: lines.join('\n'), body, caller };
}

/** An example of the arguments that are not in the path. */
function bodyExample(parameters: unknown, path: string): unknown {
  if (!isObject(parameters)) return {};
  const example = exampleOf(parameters);
  if (!isObject(example)) return {};
  return Object.fromEntries(Object.entries(example).filter(([name]) => !path.includes(`{${name}}`) && !path.includes(`/:${name}`)));
}
