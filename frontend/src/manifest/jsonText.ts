/** A value of a JSON text with its place, so that one part can be written anew and the rest left as it is. */
export interface JsonNode {
  start: number;
  end: number;
  value: unknown;
  kind: 'object' | 'array' | 'plain';
  members: JsonMember[];
}

export interface JsonMember {
  /** Of an object's member. */
  key?: string;
  /** Where its key begins, or the item of a list. */
  start: number;
  node: JsonNode;
}

const space = /\s*/y;
const plain = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

function take(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** The places of the values of a text that JSON.parse can read. Of a key that is there twice the last one counts. */
export function readJson(text: string, from = 0): JsonNode {
  const start = take(space, text, from);
  const open = text[start];
  if (open !== '{' && open !== '[') {
    const end = take(plain, text, start);
    return { start, end, value: JSON.parse(text.slice(start, end)), kind: 'plain', members: [] };
  }
  const members: JsonMember[] = [];
  const close = open === '{' ? '}' : ']';
  let at = take(space, text, start + 1);
  while (text[at] !== close) {
    const begin = at;
    let key: string | undefined;
    if (open === '{') {
      at = take(plain, text, at);
      key = JSON.parse(text.slice(begin, at)) as string;
      at = take(space, text, at) + 1; // the colon
    }
    const node = readJson(text, at);
    members.push({ key, start: begin, node });
    at = take(space, text, node.end);
    if (text[at] === ',') at = take(space, text, at + 1);
  }
  const value = open === '[' ? members.map((m) => m.node.value) : Object.fromEntries(members.map((m) => [m.key, m.node.value]));
  return { start, end: at + 1, value, kind: open === '{' ? 'object' : 'array', members };
}
