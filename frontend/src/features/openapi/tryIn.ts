import { exampleOf } from '../../ui/schema/example';
import { isObject } from '../../ui/schema/schema';
import { takesBody, type Draft, type RequestKind } from '../client/draft';
import { resolve, type Document, type Entry, type Parameter } from './document';

/**
 * An operation as a request to be filled in and sent: parameters of the path
 * stay as names in braces, what else is required has an example.
 */
export function draftOf(doc: Document, entry: Entry): { kind: RequestKind; draft: Omit<Draft, 'caller'> } {
  const parameters = (entry.operation.parameters ?? []).map((p) => resolve(doc, p)).filter((p) => p.name);
  const of = (where: string) => parameters.filter((p) => p.in === where && p.required);
  const query = of('query').map((p) => `${encodeURIComponent(p.name!)}=${encodeURIComponent(textOf(doc, p))}`);
  const headers = of('header').map((p) => `${p.name}: ${textOf(doc, p)}`);
  const streams = answersWith(doc, entry, 'text/event-stream');
  if (streams) headers.push('Accept: text/event-stream');
  let body = '';
  const [type, media] = Object.entries(resolve(doc, entry.operation.requestBody).content ?? {})[0] ?? [];
  if (type && takesBody(entry.method)) {
    headers.push(`Content-Type: ${type}`);
    body = bodyOf(type, media?.example !== undefined ? media.example : exampleOf(media?.schema, doc));
  }
  const path = entry.base + entry.path + (query.length ? `?${query.join('&')}` : '');
  return { kind: streams ? 'sse' : 'http', draft: { method: entry.method, path, headers: headers.join('\n'), body } };
}

/** Whether that is all an operation answers with when it does well. */
function answersWith(doc: Document, entry: Entry, type: string): boolean {
  const types = Object.entries(entry.operation.responses ?? {}).flatMap(([status, r]) => (status.startsWith('2') ? Object.keys(resolve(doc, r).content ?? {}) : []));
  return types.length > 0 && types.every((t) => t.startsWith(type));
}

function textOf(doc: Document, p: Parameter): string {
  const value = exampleOf(p.schema, doc);
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

function bodyOf(type: string, example: unknown): string {
  if (/[/+]json\b/.test(type)) return JSON.stringify(example ?? {}, null, 2);
  if (type.startsWith('application/x-www-form-urlencoded') && isObject(example)) {
    return new URLSearchParams(Object.entries(example).map(([k, v]) => [k, typeof v === 'string' ? v : JSON.stringify(v)])).toString();
  }
  return typeof example === 'string' ? example : '';
}
