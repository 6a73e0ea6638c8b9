import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { permissionsOf } from '../../../manifest/grants';
import { endpointCtx } from './endpointCtx';
import { narrowedCtx } from './narrow';
import sandbox from './sandbox.d.ts.txt?raw';

// The declarations as the editor's language service has them, read by the same compiler.
const options: ts.CompilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, lib: ['lib.es2022.d.ts'], allowJs: true, checkJs: true, noEmit: true, strict: false, types: [] };

vi.setConfig({ testTimeout: 60_000 });

/** The language's own declarations: read once, because reading takes the longest. */
const libraries = new Map<string, ts.SourceFile>();

function findings(source: string, ctx: string): string[] {
  const files: Record<string, string> = { '/index.js': source, '/ctx.d.ts': ctx, '/sandbox.d.ts': sandbox };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...more) => {
    if (files[name] !== undefined) return ts.createSourceFile(name, files[name], ts.ScriptTarget.ESNext, true);
    const known = libraries.get(name) ?? getSourceFile(name, ...more);
    if (known) libraries.set(name, known);
    return known;
  };
  host.fileExists = (name) => files[name] !== undefined || fileExists(name);
  host.readFile = (name) => files[name] ?? readFile(name);
  return ts.getPreEmitDiagnostics(ts.createProgram(Object.keys(files), options, host)).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
}

const p = (permissions: object) => permissionsOf({ permissions });
const h = (id: string, kind: string, parameters?: unknown) => ({ id, kind, export: '', own: false, manifest: {}, parameters });

describe('the types of handlers', () => {
  const stream = `/** @param {Ctx} ctx */
export default async function* report(ctx, { id }) {
  for await (const chunk of ctx.agent.complete({ messages: [{ role: 'user', content: id }] })) yield chunk.text;
  const name = ctx.args.id.toUpperCase();
  yield { name, method: ctx.request.method };
}
/** @type {EndpointHandler} */
export const one = async (ctx, args) => ({ status: 201, headers: { location: args.id }, body: ctx.request.query });
/** @type {EndpointStream} */
export const many = async function* (ctx) { yield ctx.args.id; };
`;
  it('fit a stream', () => expect(findings(stream, narrowedCtx(p({})) + endpointCtx([h('POST /report/{id}', 'sse')]))).toEqual([]));

  const live = `/** @param {Ctx} ctx */
export default async function live({ socket, agent }) {
  await socket.accept('chat');
  for await (const message of socket) for await (const chunk of agent.complete(message)) await socket.send(chunk);
  if ((await socket.receive()) === undefined) await socket.close(1000, 'bye');
}
`;
  it('fit a WebSocket', () => expect(findings(live, narrowedCtx(p({})) + endpointCtx([h('WS /live', 'ws')]))).toEqual([]));
  it('have no socket without one', () => expect(findings(live, narrowedCtx(p({})) + endpointCtx([h('GET /live', 'http')])).join()).toContain("'socket' does not exist on type 'Ctx'"));
  it('are not those of functions', () => expect(findings(live, narrowedCtx(p({}))).join()).toContain("'agent' does not exist on type 'Ctx'"));
  it('know what an argument is', () => {
    const ctx = narrowedCtx(p({})) + endpointCtx([h('GET /x', 'http', { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] })]);
    expect(findings('/** @param {Ctx} ctx */\nexport default (ctx) => ctx.args.n.trim()', ctx)).toEqual(["Property 'trim' does not exist on type 'number'."]);
  });
});

describe('what a manifest does not grant', () => {
  it.each<[string, string, object, string]>([
    ['in the parameter', '/** @param {Ctx} ctx */\nexport default async ({ kv }) => kv.put("a", 1)', { kv: 'ro' }, '\\"kv\\": \\"rw\\"'],
    ['in a constant', '/** @param {Ctx} ctx */\nexport default async (ctx) => { const { kv } = ctx; await kv.get("a") }', {}, '\\"kv\\": \\"ro\\"'],
    ['under another name', '/** @param {Ctx} c */\nexport default async (c) => { const { notifyOwner: tell } = c.portal; await tell({}) }', {}, '\\"portal\\": [\\"notifyOwner\\"]'],
    ['two steps down', '/** @param {Ctx} ctx */\nexport default async (ctx) => ctx.portal.payment.lock("t", 1n)', { portal: ['payment.settle'] }, '\\"portal\\": [\\"payment.lock\\"]'],
  ])('is an error of types %s', (_, source, permissions, needs) => expect(findings(source, narrowedCtx(p(permissions))).join()).toContain(`NotGranted<"${needs}">`));

  it('is none when a part of it two steps down is granted', () => expect(findings('/** @param {Ctx} ctx */\nexport default async (ctx) => ctx.portal.payment.lock("t", 1n)', narrowedCtx(p({ portal: ['payment.lock'] })))).toEqual([]));
  it('is none when it is granted', () => expect(findings('/** @param {Ctx} ctx */\nexport default async ({ kv, fetch }) => { await kv.put("a", 1); return fetch("https://a.example") }', narrowedCtx(p({ kv: 'rw' })))).toEqual([]));
});
