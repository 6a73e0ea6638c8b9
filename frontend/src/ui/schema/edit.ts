import { isObject, type Schema } from './schema';

/** Where a value lies: names of properties and numbers of items. */
export type Path = readonly (string | number)[];

/** A text that is no value of its field yet; it is kept, and said to be wrong. */
export interface Draft {
  text: string;
  problem: string;
}

/** The drafts of a form by the pointer of their field. */
export type Drafts = Readonly<Record<string, Draft>>;

/** The JSON pointer of a path. */
export function pointer(path: Path): string {
  return path.map((p) => `/${String(p).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A path for people: "address.city", "items 2". */
export function pathText(at: string): string {
  return at.slice(1).split('/').map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

/** The path of a pointer in a value: steps into a list are numbers. */
export function pathIn(root: unknown, at: string): Path {
  let here = root;
  return at
    .slice(1)
    .split('/')
    .map((p) => {
      const name = p.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(here) ? Number(name) : name;
      here = typeof step === 'number' ? (here as unknown[])[step] : isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
      return step;
    });
}

/**
 * The text of a value with a draft in it as it was typed, digit by digit;
 * undefined where the draft is no JSON itself.
 */
export function withDraft(root: unknown, at: string, draft: Draft): string | undefined {
  try {
    JSON.parse(draft.text);
  } catch {
    return undefined;
  }
  const place = `place:${crypto.randomUUID()}`;
  return JSON.stringify(setAt(root, pathIn(root, at), place), null, 2).replace(JSON.stringify(place), () => draft.text.trim());
}

/** A copy of root with the value at path; undefined removes a property. */
export function setAt(root: unknown, path: Path, value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (typeof head === 'number') {
    const list = Array.isArray(root) ? root.slice() : [];
    list[head] = setAt(list[head], rest, value);
    return list;
  }
  const from: Schema = isObject(root) ? root : {};
  const next = setAt(Object.hasOwn(from, head) ? from[head] : undefined, rest, value);
  // Rebuilt entry by entry: the order stays, and "__proto__" is a name like any other.
  const entries = Object.entries(from).filter(([k]) => k !== head || next !== undefined).map(([k, v]) => [k, k === head ? next : v] as const);
  if (next !== undefined && !Object.hasOwn(from, head)) entries.push([head, next]);
  return Object.fromEntries(entries);
}

/** The drafts after the value at a pointer was replaced, with its own draft if it has one. */
export function replaceDraft(drafts: Drafts, at: string, draft?: Draft): Drafts {
  const kept = Object.entries(drafts).filter(([k]) => k !== at && !k.startsWith(`${at}/`));
  if (draft) kept.push([at, draft]);
  return Object.fromEntries(kept);
}

/** The drafts after items of the list at a pointer moved: to gives the new place of each, or undefined. */
export function moveDrafts(drafts: Drafts, list: string, to: (index: number) => number | undefined): Drafts {
  const out: Record<string, Draft> = {};
  for (const [k, v] of Object.entries(drafts)) {
    if (!k.startsWith(`${list}/`)) {
      out[k] = v;
      continue;
    }
    const [index = '', ...rest] = k.slice(list.length + 1).split('/');
    const moved = to(Number(index));
    if (moved !== undefined) out[[list, moved, ...rest].join('/')] = v;
  }
  return out;
}
