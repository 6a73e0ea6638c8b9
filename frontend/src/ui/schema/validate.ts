import { t } from '../../i18n/t';
import { isObject, lookUp, problemOf, same, texts, type Schema } from './schema';

/** A place in a value that its schema does not allow. */
export interface Misfit {
  /** Where, such as skills[0].tags; empty for the value itself. */
  path: string;
  text: string;
  /** What the schema says about this place. */
  hint?: string;
  /** It is none of the schema's members: most readers pass it over. */
  extra?: boolean;
}

const deepest = 32;
const most = 100;

/**
 * Everything in a value that a JSON Schema does not allow, in the order of the
 * value. It reads what schemas of documents use: type, const, enum, required,
 * properties, additionalProperties, items, counts, patterns, formats, $ref inside
 * the schema, and `not: {}` for what must not be there. Other keywords are passed
 * over, so that it refuses nothing it does not understand.
 */
export function misfitsOf(schema: Schema, value: unknown): Misfit[] {
  const out: Misfit[] = [];
  check(schema, value, '', schema, out, 0);
  return out.slice(0, most);
}

function check(given: Schema, value: unknown, path: string, root: Schema, out: Misfit[], depth: number): void {
  if (depth > deepest || out.length > most) return;
  const target = typeof given.$ref === 'string' ? lookUp(given.$ref, root) : given;
  if (!isObject(target)) return;
  const schema = target === given ? given : { ...target, ...given };
  const hint = typeof schema.description === 'string' ? { hint: schema.description } : {};
  const add = (text: string, more: Partial<Misfit> = {}) => out.push({ path, text, ...hint, ...more });
  if (isObject(schema.not) && Object.keys(schema.not).length === 0) return void add(t('does not belong here'), { extra: true });
  const types = typeof schema.type === 'string' ? [schema.type] : texts(schema.type);
  if (types.length && !types.some((t) => isType(t, value))) return void add(t('is {typeName}, not {types}', { typeName: typeName(value), types: types.map((name) => names[name] ?? name).reduce((before, name) => t('{before} or {name}', { before, name })) }));
  if ('const' in schema && !same(schema.const, value)) return void add(t('is not {const}', { const: JSON.stringify(schema.const) }));
  if (Array.isArray(schema.enum) && !schema.enum.some((e) => same(e, value))) return void add(t('is none of {enum}', { enum: schema.enum.map((e) => JSON.stringify(e)).join(', ') }));
  const own = problemOf(schema, value);
  if (own) add(value === '' && schema.minLength === 1 ? t('is empty') : Array.isArray(value) && value.length === 0 && schema.minItems === 1 ? t('is an empty list') : own);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (isObject(items)) value.forEach((v, i) => check(items, v, `${path}[${i}]`, root, out, depth + 1));
  } else if (isObject(value)) members(schema, value, path, root, out, depth, add);
}

function members(schema: Schema, value: Schema, path: string, root: Schema, out: Misfit[], depth: number, add: (text: string) => void): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const at = (name: string) => (path === '' ? '' : `${path}.`) + name;
  for (const name of texts(schema.required)) {
    if (Object.hasOwn(value, name)) continue;
    const sub = properties[name];
    const said = isObject(sub) ? (typeof sub.$ref === 'string' ? { ...(lookUp(sub.$ref, root) as Schema), ...sub } : sub).description : undefined;
    out.push({ path: at(name), text: t('is missing'), ...(typeof said === 'string' ? { hint: said } : {}) });
  }
  const count = Object.keys(value).length;
  if (typeof schema.minProperties === 'number' && count < schema.minProperties) add(t('has {count} members, not {minProperties} or more', { count, minProperties: schema.minProperties }));
  if (typeof schema.maxProperties === 'number' && count > schema.maxProperties) add(t('has {count} members, not {maxProperties} at most', { count, maxProperties: schema.maxProperties }));
  for (const [name, v] of Object.entries(value)) {
    const sub = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(sub)) check(sub, v, at(name), root, out, depth + 1);
    else if (schema.additionalProperties === false) out.push({ path: at(name), text: t('is not known here'), extra: true });
    else if (isObject(schema.additionalProperties)) check(schema.additionalProperties, v, at(name), root, out, depth + 1);
  }
}

const names: Record<string, string> = { object: t('an object'), array: t('a list'), string: t('a text'), number: t('a number'), integer: t('a whole number'), boolean: t('true or false'), null: 'null' };

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
  }
  return typeof value === type;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return t('a list');
  return names[typeof value] ?? typeof value;
}
