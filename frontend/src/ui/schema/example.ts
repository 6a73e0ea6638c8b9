import { choicesOf, fits, isObject, problemOf, resolved, texts, tupleOf, type Schema } from './schema';

const deepest = 6;

/**
 * Makes an example of what a JSON Schema describes, to begin a call with:
 * defaults and examples where it has them, otherwise the simplest value that
 * fits. What need not be there and has no such value is left out: a text that
 * must match a pattern, an object inside one of its own kind. A schema it cannot
 * follow gives null, never an error. References are followed within root, which
 * is the schema itself where it stands alone.
 */
export function exampleOf(schema: unknown, root: unknown = schema): unknown {
  return make(schema, { root: isObject(root) ? root : {}, depth: 0, inside: [] });
}

/** What a field begins with that is given a value: an example, and an empty text where null is none. */
export function startOf(schema: unknown, root: Schema): unknown {
  const value = exampleOf(schema, root);
  return value === null && !fits(resolved(schema, root), null, root) ? '' : value;
}

interface Place {
  root: Schema;
  depth: number;
  /** The references that lead here: one of them again would never end. */
  inside: readonly string[];
}

function make(schema: unknown, at: Place): unknown {
  if (!isObject(schema) || at.depth > deepest) return schema === true ? {} : null;
  const deeper = { ...at, depth: at.depth + 1 };
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length) return schema.examples[0];
  if (typeof schema.$ref === 'string') return make(resolved(schema, at.root), { ...deeper, inside: [...at.inside, schema.$ref] });
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length) return schema.enum[0];
  if (Array.isArray(schema.allOf)) return make(resolved(schema, at.root), deeper);
  const [choice] = Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf) ? choicesOf(schema, at.root) : [];
  if (choice) return make(choice.schema, deeper);
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, at);
    case 'array':
      return arrayOf(schema, at);
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function typeOf(schema: Schema): unknown {
  if (Array.isArray(schema.type)) return schema.type.find((t) => t !== 'null') ?? 'null';
  if (schema.type !== undefined) return schema.type;
  if (isObject(schema.properties)) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

function objectOf(schema: Schema, at: Place): unknown {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const needed = texts(schema.required);
  const out: Schema = {};
  for (const [name, sub] of Object.entries(properties)) {
    const free = !needed.includes(name);
    if (free && (at.depth >= deepest || again(sub, at))) continue;
    const value = make(sub, { ...at, depth: at.depth + 1 });
    if (free && typeof value === 'string' && problemOf(resolved(sub, at.root), value)) continue;
    out[name] = value;
  }
  return out;
}

const again = (sub: unknown, at: Place) => isObject(sub) && typeof sub.$ref === 'string' && at.inside.includes(sub.$ref);

function arrayOf(schema: Schema, at: Place): unknown {
  const fixed = tupleOf(schema);
  const least = Math.min(typeof schema.minItems === 'number' ? schema.minItems : 0, 10);
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : 10;
  const items = fixed ? schema.prefixItems && schema.items : schema.items;
  const one = !fixed && isObject(items) && at.depth < 2 && !again(items, at);
  const count = Math.min(most, Math.max(least, fixed ? fixed.length : one ? 1 : 0));
  return Array.from({ length: count }, (_, i) => make(fixed && i < fixed.length ? fixed[i] : items, { ...at, depth: at.depth + 1 }));
}

const formats: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
};

function stringOf(schema: Schema): string {
  const text = typeof schema.format === 'string' ? (formats[schema.format] ?? '') : '';
  const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, 100) : 0;
  return text.length < least ? text.padEnd(least, 'x') : text;
}

function numberOf(schema: Schema): number {
  const step = typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : 1;
  if (typeof schema.minimum === 'number') return Math.ceil(schema.minimum / step) * step;
  if (typeof schema.exclusiveMinimum === 'number') return (Math.floor(schema.exclusiveMinimum / step) + 1) * step;
  const most = typeof schema.maximum === 'number' ? schema.maximum : schema.exclusiveMaximum;
  return typeof most === 'number' && most <= 0 ? Math.floor(most - step) : 0;
}
