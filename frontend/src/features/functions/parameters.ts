import { isObject, texts, type Schema } from '../../ui/schema/schema';

/** Types the builder offers; others are left to JSON. */
export const kinds = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'enum'] as const;
export type BuilderKind = (typeof kinds)[number];

/** What the builder calls a schema; undefined when only JSON will do. */
export function kindOfParameter(schema: unknown): BuilderKind | undefined {
  if (!isObject(schema)) return undefined;
  if (Array.isArray(schema.enum) && schema.enum.every((e) => typeof e === 'string')) return 'enum';
  if ('$ref' in schema || 'oneOf' in schema || 'anyOf' in schema || 'allOf' in schema || 'enum' in schema || 'const' in schema) return undefined;
  return kinds.find((k) => k === schema.type);
}

const describing = ['title', 'description', 'default', 'examples'];
const belonging: Record<BuilderKind, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
  enum: [],
};

/** A schema of another kind: keeps what describes it, drops what the new kind does not know. */
export function withKind(schema: Schema, kind: BuilderKind): Schema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([k]) => describing.includes(k) || belonging[kind].includes(k)));
  if ('default' in kept && !suits(kept.default, kind)) delete kept.default;
  if (Array.isArray(kept.examples) && !kept.examples.every((e) => suits(e, kind))) delete kept.examples;
  if (kind === 'enum') return { type: 'string', enum: Array.isArray(schema.enum) ? schema.enum : ['first', 'second'], ...kept };
  if (kind === 'array') return { type: 'array', items: { type: 'string' }, ...kept };
  if (kind === 'object') return { type: 'object', properties: {}, ...kept };
  return { type: kind, ...kept };
}

function suits(value: unknown, kind: BuilderKind): boolean {
  switch (kind) {
    case 'string':
    case 'enum':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === kind;
  }
}

export interface Parameter {
  name: string;
  schema: unknown;
  required: boolean;
}

/** The properties of an object schema in their order. */
export function parametersOf(schema: unknown): Parameter[] {
  const s = isObject(schema) ? schema : {};
  const required = texts(s.required);
  return Object.entries(isObject(s.properties) ? s.properties : {}).map(([name, sub]) => ({ name, schema: sub, required: required.includes(name) }));
}

/** An object schema with these properties; everything else of it stays. */
export function withParameters(schema: unknown, list: readonly Parameter[]): Schema {
  const s = isObject(schema) ? schema : { type: 'object', properties: {}, additionalProperties: false };
  const required = list.filter((p) => p.required).map((p) => p.name);
  const out: Schema = { ...s, properties: Object.fromEntries(list.map((p) => [p.name, p.schema])) };
  if (required.length) out.required = required;
  else delete out.required;
  return out;
}
