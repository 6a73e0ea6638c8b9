import { t } from '../../i18n/t';

/** A JSON Schema as a form reads it: any keyword may be missing or nonsense. */
export type Schema = Record<string, unknown>;

export type Kind = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'enum' | 'const' | 'choice' | 'any';

/** One way out of oneOf, anyOf or a list of types. */
export interface Choice {
  label: string;
  schema: Schema;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands behind a reference inside the same document; undefined for any other. */
export function lookUp(ref: string, root: Schema): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) || Array.isArray(at) ? (at as Schema)[name] : undefined;
  }
  return at;
}

const deepest = 16;

/** A schema with its references followed and its allOf put together. What cannot be followed allows anything. */
export function resolved(schema: unknown, root: Schema, depth = 0): Schema {
  if (!isObject(schema) || depth > deepest) return {};
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    const target = resolved(lookUp($ref, root), root, depth + 1);
    return Object.keys(beside).length ? { ...target, ...beside } : target;
  }
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const out: Schema = {};
  for (const part of [...allOf, own]) {
    const sub = resolved(part, root, depth + 1);
    const properties = { ...(isObject(out.properties) ? out.properties : {}), ...(isObject(sub.properties) ? sub.properties : {}) };
    const required = [...texts(out.required), ...texts(sub.required)];
    Object.assign(out, sub);
    if (Object.keys(properties).length) out.properties = properties;
    if (required.length) out.required = [...new Set(required)];
  }
  return out;
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : [];
}

/** Whether null is one of the values that are allowed beside others. */
export function isNullable(schema: Schema): boolean {
  if (schema.nullable === true) return true;
  if (Array.isArray(schema.type) && schema.type.length > 1 && schema.type.includes('null')) return true;
  return variants(schema).some((v) => isObject(v) && v.type === 'null');
}

function variants(schema: Schema): unknown[] {
  if (Array.isArray(schema.oneOf)) return schema.oneOf;
  return Array.isArray(schema.anyOf) ? schema.anyOf : [];
}

/** The ways a value can take, null left out; fewer than two are no choice. */
export function choicesOf(schema: Schema, root: Schema): Choice[] {
  const { oneOf: _one, anyOf: _any, title: _title, ...shared } = schema;
  const list = variants(schema)
    .map((v) => resolved(v, root))
    .filter((v) => v.type !== 'null');
  if (list.length) {
    return list.map((v, i) => {
      // What stands beside oneOf holds for each of its ways.
      const schema = { ...shared, ...v, ...joined(shared, v) };
      return { label: labelOf(schema, i), schema };
    });
  }
  if (Array.isArray(schema.type)) {
    const types = texts(schema.type).filter((t) => t !== 'null');
    if (types.length > 1) return types.map((type) => ({ label: type, schema: { ...schema, type } }));
  }
  return [];
}

function joined(a: Schema, b: Schema): Schema {
  const out: Schema = {};
  if (isObject(a.properties) && isObject(b.properties)) out.properties = { ...a.properties, ...b.properties };
  const required = [...texts(a.required), ...texts(b.required)];
  if (required.length) out.required = [...new Set(required)];
  return out;
}

function labelOf(schema: Schema, index: number): string {
  if (typeof schema.title === 'string') return schema.title;
  if ('const' in schema) return String(schema.const);
  // Ways are often told apart by one property with a constant.
  if (isObject(schema.properties)) {
    for (const sub of Object.values(schema.properties)) {
      if (isObject(sub) && ('const' in sub || (Array.isArray(sub.enum) && sub.enum.length === 1))) return String(sub.const ?? (sub.enum as unknown[])[0]);
    }
  }
  if (Array.isArray(schema.enum) && schema.enum.length) return schema.enum.slice(0, 4).map(String).join(' | ') + (schema.enum.length > 4 ? ' …' : '');
  return typeof schema.type === 'string' ? schema.type : t('Variant {n}', { n: index + 1 });
}

/** What kind of field a resolved schema wants. */
export function kindOf(schema: Schema, root: Schema): Kind {
  if ('const' in schema) return 'const';
  if (Array.isArray(schema.enum) && schema.enum.length) return 'enum';
  const choices = choicesOf(schema, root);
  if (choices.length > 1) return 'choice';
  if (choices.length === 1) return kindOf(choices[0]!.schema, root);
  const type = Array.isArray(schema.type) ? texts(schema.type).find((t) => t !== 'null') : schema.type;
  switch (type) {
    case 'object':
    case 'array':
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return type;
  }
  if (isObject(schema.properties)) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'any';
}

/** The one way there is, or the schema itself. */
export function only(schema: Schema, root: Schema): Schema {
  const choices = choicesOf(schema, root);
  return choices.length === 1 ? choices[0]!.schema : schema;
}

/** Whether a value has the shape of a schema: enough to choose between ways, no validation. */
export function fits(schema: Schema, value: unknown, root: Schema, depth = 0): boolean {
  const s = resolved(schema, root);
  if (value === null) return isNullable(s) || s.type === 'null' || s.const === null || (Array.isArray(s.enum) && s.enum.includes(null));
  switch (kindOf(s, root)) {
    case 'const':
      return same(s.const, value);
    case 'enum':
      return (s.enum as unknown[]).some((e) => same(e, value));
    case 'choice':
      return choicesOf(s, root).some((c) => fits(c.schema, value, root, depth + 1));
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object': {
      if (!isObject(value)) return false;
      const properties = isObject(s.properties) ? s.properties : {};
      if (texts(s.required).some((name) => !(name in value))) return false;
      if (s.additionalProperties === false && Object.keys(value).some((k) => !(k in properties))) return false;
      return depth > 3 || Object.entries(value).every(([k, v]) => !(k in properties) || fits(resolved(properties[k], root), v, root, depth + 1));
    }
    case 'null':
      return false;
    default:
      return true;
  }
}

/** The schemas of a list's first items, where it has one for each. */
export function tupleOf(schema: Schema): unknown[] | undefined {
  if (Array.isArray(schema.prefixItems)) return schema.prefixItems;
  return Array.isArray(schema.items) ? schema.items : undefined;
}

/** The schema of the items behind a tuple, or of all items; false where there can be none. */
export function itemsOf(schema: Schema): unknown {
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  return rest ?? {};
}

export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * What is wrong with a value at its own level, in one sentence; the platform's
 * check decides, this one only tells early.
 */
export function problemOf(schema: Schema, value: unknown): string | undefined {
  if (typeof value === 'string') {
    const length = [...value].length;
    if (typeof schema.minLength === 'number' && length < schema.minLength) return t('at least {minLength} {n, plural, one {character} other {characters}}', { minLength: schema.minLength, n: schema.minLength });
    if (typeof schema.maxLength === 'number' && length > schema.maxLength) return t('at most {maxLength} characters, these are {length}', { maxLength: schema.maxLength, length });
    if (typeof schema.pattern === 'string' && matches(schema.pattern, value) === false) return t('must match {pattern}', { pattern: schema.pattern });
    return typeof schema.format === 'string' ? formatProblem(schema.format, value) : undefined;
  }
  if (typeof value === 'number') {
    if (typeof schema.minimum === 'number' && value < schema.minimum) return t('{minimum} or more', { minimum: schema.minimum });
    if (typeof schema.exclusiveMinimum === 'number' && value <= schema.exclusiveMinimum) return t('more than {exclusiveMinimum}', { exclusiveMinimum: schema.exclusiveMinimum });
    if (typeof schema.maximum === 'number' && value > schema.maximum) return t('{maximum} or less', { maximum: schema.maximum });
    if (typeof schema.exclusiveMaximum === 'number' && value >= schema.exclusiveMaximum) return t('less than {exclusiveMaximum}', { exclusiveMaximum: schema.exclusiveMaximum });
    return undefined;
  }
  if (Array.isArray(value)) {
    if (typeof schema.minItems === 'number' && value.length < schema.minItems) return t('at least {minItems} {n, plural, one {item} other {items}}', { minItems: schema.minItems, n: schema.minItems });
    if (typeof schema.maxItems === 'number' && value.length > schema.maxItems) return t('at most {maxItems} items', { maxItems: schema.maxItems });
    if (schema.uniqueItems === true && new Set(value.map((v) => JSON.stringify(v))).size < value.length) return t('no item twice');
  }
  return undefined;
}

export function matches(pattern: string, value: string): boolean | undefined {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return undefined; // not a pattern of this engine: the platform will tell
  }
}

interface Format {
  is: RegExp;
  problem: string;
  /** What it looks like, for an empty field. */
  hint: string;
}

const format = (is: RegExp, problem: string, hint: string): Format => ({ is, problem, hint });
const address = format(/^[A-Za-z][A-Za-z0-9+.-]*:\S+$/, t('should be an address such as https://example.com/'), 'https://example.com/');

const formats: Record<string, Format> = {
  'date-time': format(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/, t('should be a date and time such as 2026-01-31T12:00:00Z'), '2026-01-31T12:00:00Z'),
  date: format(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, t('should be a date such as 2026-01-31'), '2026-01-31'),
  time: format(/^\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/, t('should be a time such as 12:00:00Z'), '12:00:00Z'),
  email: format(/^[^\s@]+@[^\s@]+$/, t('should be an address such as ada@example.com'), 'ada@example.com'),
  uri: address,
  url: address,
  uuid: format(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, t('should be a UUID'), '00000000-0000-4000-8000-000000000000'),
  ipv4: format(/^(\d{1,3}\.){3}\d{1,3}$/, t('should be an address such as 192.0.2.1'), '192.0.2.1'),
};

function formatProblem(name: string, value: string): string | undefined {
  const known = Object.hasOwn(formats, name) ? formats[name] : undefined;
  return known && !known.is.test(value) ? known.problem : undefined;
}

/** What a format looks like, for an empty field. */
export function formatHint(name: unknown): string | undefined {
  return typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name]?.hint : undefined;
}

/** Whether a JSON text holds a number that a page would round. */
export function losesNumbers(text: string): boolean {
  for (const [token] of text.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    const n = Number(token);
    if (!Number.isFinite(n)) return true;
    const digits = token.replace(/^-/, '').replace(/[eE].*$/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
    if (digits.length > 17 || (Number.isInteger(n) && !/[.eE]/.test(token) && !Number.isSafeInteger(n))) return true;
  }
  return false;
}
