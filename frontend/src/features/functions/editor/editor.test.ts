import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../../api/contract.gen';
import { permissionsOf } from '../../../manifest/grants';
import { hintsOf } from './hints';
import { narrowedCtx } from './narrow';
import { ungranted } from './ungranted';

const p = (permissions: object) => permissionsOf({ permissions });

describe('ungranted', () => {
  it.each<[string, string, object, string[]]>([
    ['what is granted', 'ctx.kv.get("a"); ctx.secrets.get("A")', { kv: 'ro', secrets: ['A'] }, []],
    ['a write where only reading is granted', 'ctx.kv.put("a", 1)', { kv: 'ro' }, ['"kv": "rw"']],
    ['a secret by its name', "await ctx.secrets.get('B')", { secrets: ['A'] }, ['"secrets": ["B"]']],
    ['writing a secret', "ctx.secrets.put('A', x)", { secrets: ['A'] }, ['"secrets": ["A", "write"]']],
    ['content', 'ctx.content.put({})', { content: { read: true } }, ['"content": { "write": true }']],
    ['portal', 'ctx.portal.notifyOwner({})', {}, ['"portal": ["notifyOwner"]']],
    ['a folder by its alias', 'ctx.folders.out.write("a", b); ctx.folders["in"].list()', { folders: [{ alias: 'out', permissions: 'ro' }] }, ['"folders": [{ "alias": "out", "permissions": "rw" }]', '"folders": [{ "alias": "in", "permissions": "ro" }]']],
    ['an address', "fetch('https://a.example/x'); ctx.fetch(`https://b.example/${id}`)", { fetch: ['https://a.example'] }, ['"fetch": ["https://b.example"]']],
    ['no address that is made up later', 'fetch(`https://${host}/x`); fetch(url); other.fetch("https://a.example")', {}, []],
    ['nothing in comments', '// ctx.kv.get("a")\n/* fetch("https://a.example") */', {}, []],
    ['nothing behind an address in a text', 'const u = "https://a.example"; ctx.kv.get("x")', {}, ['"kv": "ro"']],
  ])('finds %s', (_, source, permissions, needs) => expect(ungranted(source, p(permissions)).map((u) => u.needs)).toEqual(needs));

  it('says where', () => expect(ungranted('a;\n  await ctx.kv.get(1)', p({}))).toMatchObject([{ line: 2, column: 9 }]));
});

describe('narrowedCtx', () => {
  it('takes away what is not granted and keeps the rest', () => {
    const text = narrowedCtx(p({ kv: 'ro', secrets: ['A', 'B'], folders: [{ alias: 'in', permissions: 'ro' }] }));
    expect(text).toMatch(/readonly put: NotGranted<"\\"kv\\": \\"rw\\"">/);
    expect(text).toContain('get(key: string)');
    expect(text).toContain('get(name: "A" | "B")');
    expect(text).toContain('Readonly<Record<"in", {');
    expect(text).toMatch(/readonly write: NotGranted/);
    expect(text).toContain('emit(event: string');
  });
});

it('hintsOf gathers the calls of a line', () => {
  const e = (line: number, part: Partial<TraceEntry>): TraceEntry => ({ kind: 'host', name: 'kv.get', startUs: 0, durationUs: 500, line, ...part });
  expect(hintsOf([e(3, { result: 1 }), e(3, { result: { n: 2 } }), e(1, {}), e(2, { error: { code: 'PERMISSION_DENIED', message: '' } }), e(0, { result: 9 })])).toEqual([
    { line: 1, text: '→ undefined · 0.50 ms', failed: false },
    { line: 2, text: '✕ PERMISSION_DENIED · 0.50 ms', failed: true },
    { line: 3, text: '→ {"n":2} ×2 · 1.0 ms', failed: false },
  ]);
});
