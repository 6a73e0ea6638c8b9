import { isObject, lookUp, resolved, type Schema } from './schema';

const deepest = 6;

/**
 * Makes an example of what a JSON Schema describes, to begin a call with:
 * defaults and examples where it has them, otherwise the simplest value that
 * fits. A schema it cannot follow gives null, never an error. References are
 * followed within root, which is the schema itself where it stands alone.
 */
export function exampleOf(schema: unknown, root: unknown = schema): unknown {
  return make(schema, isObject(root) ? root : {}, 0);
}

function make(schema: unknown, root: Schema, depth: number): unknown {
  if (!isObject(schema) || depth > deepest) return schema === true ? {} : null;
  if (typeof schema.$ref === 'string') return make(lookUp(schema.$ref, root), root, depth + 1);
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length) return schema.enum[0];
  if (Array.isArray(schema.allOf)) return make(resolved(schema, root), root, depth + 1);
  for (const choice of [schema.oneOf, schema.anyOf]) {
    if (Array.isArray(choice) && choice.length) return make(choice[0], root, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, root, depth);
    case 'array':
      return arrayOf(schema, root, depth);
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
  return 'items' in schema ? 'array' : undefined;
}

function objectOf(schema: Schema, root: Schema, depth: number): unknown {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const out: Schema = {};
  for (const [name, sub] of Object.entries(properties)) out[name] = make(sub, root, depth + 1);
  return out;
}

function arrayOf(schema: Schema, root: Schema, depth: number): unknown {
  const least = Math.min(typeof schema.minItems === 'number' ? schema.minItems : 0, 10);
  const count = Math.max(least, isObject(schema.items) && depth < 2 ? 1 : 0);
  return Array.from({ length: count }, () => make(schema.items, root, depth + 1));
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
