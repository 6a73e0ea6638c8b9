import { t } from '../../i18n/t';

/** The parts of an OpenAPI 3.1 document that the page reads. Everything may be missing: it is somebody's file. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Operation {
  summary?: string;
  description?: string;
  operationId?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { $ref?: string; required?: boolean; content?: Record<string, { schema?: Schema; example?: unknown }> };
  responses?: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema?: Schema; example?: unknown }> }>;
  servers?: unknown;
  security?: Record<string, string[]>[];
}

export interface Document {
  openapi?: string;
  info?: { title?: string; version?: string; description?: string };
  servers?: { url: string }[];
  paths?: Record<string, Record<string, unknown>>;
  components?: Record<string, unknown>;
}

export interface Entry {
  id: string;
  method: string;
  /** Where the operation is served: what stands before the path, without a slash at its end. */
  base: string;
  path: string;
  group: string;
  operation: Operation;
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** The operations of a document in its order, each with the group it belongs to. */
export function entriesOf(doc: Document): Entry[] {
  return Object.entries(doc.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((m) => typeof item?.[m] === 'object' && item[m] !== null)
      .map((m) => {
        const operation = item[m] as Operation;
        const shared = Array.isArray(item.parameters) ? (item.parameters as Parameter[]) : [];
        return {
          id: `${m} ${path}`,
          method: m.toUpperCase(),
          base: baseOf(operation.servers ?? item.servers ?? doc.servers),
          path,
          group: operation.tags?.[0] ?? 'other',
          operation: { ...operation, parameters: [...shared, ...(operation.parameters ?? [])] },
        };
      }),
  );
}

/** The path of the first server, which may be written in full. */
function baseOf(servers: unknown): string {
  const first = Array.isArray(servers) ? (servers[0] as { url?: unknown } | undefined) : undefined;
  if (typeof first?.url !== 'string') return '';
  try {
    return new URL(first.url, 'http://here').pathname.replace(/\/+$/, '');
  } catch {
    return '';
  }
}

/** Follows a reference within the document; what leads nowhere, or round in a circle, is empty. */
export function resolve<T extends { $ref?: string }>(doc: Document, value: T | undefined): T {
  let now = value;
  for (let step = 0; now?.$ref !== undefined && step < 20; step++) {
    if (!now.$ref.startsWith('#/')) return {} as T;
    let at: unknown = doc;
    for (const part of now.$ref.slice(2).split('/')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    }
    now = at as T | undefined;
  }
  return now && now.$ref === undefined ? now : ({} as T);
}

/** A schema's type in a word or two. */
export function typeOf(doc: Document, schema: Schema | undefined, depth = 0): string {
  const s = resolve(doc, schema);
  if (depth > 4) return '…';
  if (s.const !== undefined) return JSON.stringify(s.const);
  if (s.enum) return s.enum.map((v) => JSON.stringify(v)).join(' | ');
  const choice = s.oneOf ?? s.anyOf;
  if (choice) return choice.map((c) => typeOf(doc, c, depth + 1)).join(' or ');
  const type = Array.isArray(s.type) ? s.type.join(' or ') : s.type;
  if (type === 'array') return s.items ? t('list of {typeOf}', { typeOf: typeOf(doc, s.items, depth + 1) }) : t('list of anything');
  if (!type) return s.properties ? 'object' : 'anything';
  return s.format ? `${type} (${s.format})` : type;
}

export interface Field {
  name: string;
  depth: number;
  type: string;
  required: boolean;
  description: string;
}

/** The members of a schema as rows, those inside of them behind them. */
export function fieldsOf(doc: Document, schema: Schema | undefined, depth = 0): Field[] {
  const s = resolve(doc, schema);
  if (depth > 5) return [];
  const parts = [s, ...(s.allOf ?? []).map((p) => resolve(doc, p))];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, raw]) => {
      const member = resolve(doc, raw);
      const inside = member.items ? resolve(doc, member.items) : member;
      return [
        { name, depth, type: typeOf(doc, raw), required: part.required?.includes(name) ?? false, description: raw.description ?? member.description ?? '' },
        ...fieldsOf(doc, inside, depth + 1),
      ];
    }),
  );
}

/** Whether each word of a search is somewhere in what an operation is called and says of itself. */
export function matches(entry: Entry, search: string): boolean {
  const { summary = '', description = '', parameters = [] } = entry.operation;
  const text = [entry.method, entry.path, entry.group, summary, description, ...parameters.map((p) => p.name ?? '')].join('\n').toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The function that an operation invokes by hand, if it does. */
export function functionOf(path: string): string | undefined {
  return /\/functions\/([A-Za-z]\w*)\/invoke$/.exec(path)?.[1];
}
