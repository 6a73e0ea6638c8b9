import { describe, expect, it } from 'vitest';
import { allow, editText } from './edit';
import { patchJson } from './patch';

const change = (text: string, edit: (value: any) => unknown) => patchJson(text, edit(JSON.parse(text.replace(/^\ufeff/, ''))));

describe('patchJson', () => {
  const odd = `{
    "runtime" : "js-v1",   "x-id": 12345678901234567890,

    "description": "caf\\u00e9",
    "limits": {"wallMs": 1.0e3, "memoryMb": 64},
    "parameters": { "properties": { "b": { "maximum": 9007199254740993 }, "1": { "type": "string" } } }
}
`;
  it('leaves a text that means the same', () => expect(change(odd, (v) => v)).toBe(odd));
  it.each<[string, (v: any) => unknown, (text: string) => string]>([
    ['changes one value', (v) => ({ ...v, runtime: 'js-v2' }), (t) => t.replace('js-v1', 'js-v2')],
    ['changes a value deep inside', (v) => ({ ...v, limits: { ...v.limits, memoryMb: 65 } }), (t) => t.replace('64', '65')],
    ['takes a member out', ({ description: _, ...v }) => v, (t) => t.replace('\n\n    "description": "caf\\u00e9",', '')],
    ['takes the last one out', ({ parameters: _, ...v }) => v, (t) => t.replace(/,\n {4}"parameters".*/, '')],
    ['adds a member in one line', (v) => ({ ...v, limits: { ...v.limits, cpuMs: 5 } }), (t) => t.replace('64}', '64, "cpuMs": 5}')],
    ['adds a member in a line of its own', (v) => ({ ...v, name: 'n' }), (t) => t.replace('} } }\n}', '} } },   "name": "n"\n}')],
    ['renames a member with all that is in it', (v) => ({ ...v, parameters: { properties: { '1': v.parameters.properties['1'], c: v.parameters.properties.b } } }), (t) => t.replace('"b":', '"c":')],
    ['adds one after those with numbers for names', (v) => ({ ...v, parameters: { properties: { ...v.parameters.properties, z: 1 } } }), (t) => t.replace('"9007', '').replace('993 }, "1"', '993 }, "z": 1, "1"')],
  ])('%s', (_, edit, want) => expect(change(odd, edit)).toBe(want(odd)));

  it('moves a member with its text', () => {
    const text = '{\n  "a": 1.0,\n  "b": 2.0,\n  "c": 3.0\n}';
    expect(change(text, ({ a, b, c }) => ({ a, c, b }))).toBe('{\n  "a": 1.0,\n  "c": 3.0,\n  "b": 2.0\n}');
    expect(change(text, ({ a, b, c }) => ({ b, a, c }))).toBe('{\n  "b": 2.0,\n  "a": 1.0,\n  "c": 3.0\n}');
  });
  it('keeps line ends, a mark at the beginning and a missing last line', () => {
    expect(change('\ufeff{\r\n\t"a": {}\r\n}', () => ({ a: { b: [1], c: { d: 2 } } }))).toBe('\ufeff{\r\n\t"a": {\r\n\t\t"b": [1],\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n\t}\r\n}');
  });
  it('stays without spaces', () => expect(change('{"a":[1],"b":{}}', () => ({ a: [1, 2], b: { c: [true] } }))).toBe('{"a":[1,2],"b":{"c":[true]}}'));
  it.each([
    ['[1.0, 2.0, 3.0]', [1, 3], '[1.0, 3.0]'],
    ['[1.0, 2.0]', [0, 1, 2], '[0, 1.0, 2.0]'],
    ['[\n  1.0\n]', [1, 4], '[\n  1.0,\n  4\n]'],
    ['[{"a": 1.0, "b": 1}]', [{ a: 1, b: 2 }], '[{"a": 1.0, "b": 2}]'],
    ['[1]', [], '[]'],
    ['[]', ['a', 'b'], '["a", "b"]'],
    ['[ 1, 2 ]', {}, '{}'],
    ['"a"', 'b\u2028', '"b\u2028"'],
  ])('%s becomes %j', (text, next, want) => expect(text === '[]' ? patchJson(`{ "x": ${text} }`, { x: next }) : patchJson(text, next)).toBe(text === '[]' ? `{ "x": ${want} }` : want));

  it('breaks a line that gets too long', () => {
    const hosts = ['https://one.example.org', 'https://two.example.org', 'https://three.example.org', 'https://four.example.org'];
    expect(change('{\n  "fetch": ["https://one.example.org"]\n}', () => ({ fetch: hosts }))).toBe(`{\n  "fetch": [\n    ${hosts.map((h) => `"${h}"`).join(',\n    ')}\n  ]\n}`);
  });
  it('holds for values of any kind: what is written is what was meant', () => {
    const values = [{}, { a: [] }, { a: [1, { b: null }] }, { b: { '2': 'x', '1': [] }, a: '"\\\n' }, { a: { a: { a: 1 } }, c: [[], {}] }, { c: [[1], { d: 2 }, 3], a: true }];
    for (const from of values)
      for (const to of values)
        for (const text of [JSON.stringify(from), JSON.stringify(from, null, 2), JSON.stringify(from, null, '\t').replaceAll('\n', '\r\n')]) expect(JSON.parse(patchJson(text, to))).toEqual(to);
  });
});

it('editText grants and leaves the rest as it is', () => {
  const text = '{\n  "runtime": "js-v1",\n  "x": 1e400,\n  "permissions": {},\n  "limits": { "wallMs": 1.50 }\n}\n';
  expect(editText(text, [allow.kv('rw')])).toBe(text.replace('{},', '{\n    "kv": "rw"\n  },'));
});
