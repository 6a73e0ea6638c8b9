import * as monaco from 'monaco-editor/editor';
import './features';
import 'monaco-editor/languages/definitions/javascript/register';
import * as ts from 'monaco-editor/languages/features/typescript/register';
import * as json from 'monaco-editor/languages/features/json/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import TsWorker from 'monaco-editor/languages/features/typescript/ts.worker?worker';
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker';
import { ctxDeclaration } from '../../../api/contract.gen';
import { whenIdle } from '../../../ui/idle';
import { provideCtx } from './ctxCompletion';
import { manifestSchema } from './manifestSchema';
import sandbox from './sandbox.d.ts.txt?raw';
import { defineThemes } from './themes';

let calm: Promise<void> | undefined;

/** Language services take a core for a while: they begin when the page has nothing else to do, which is when the text is there. */
const whenCalm = () => (calm ??= new Promise<void>((resolve) => whenIdle(resolve)));

/** Waits until the platform answers: a worker that could not be loaded once is never asked for again. */
async function whenReachable(): Promise<void> {
  const something = new URL('icon.svg', document.baseURI);
  for (let wait = 300; ; wait = Math.min(wait * 2, 8_000)) {
    if (await fetch(something, { cache: 'no-store' }).then((res) => res.ok, () => false)) return;
    await new Promise((done) => setTimeout(done, wait));
  }
}

// The editor and its language services in one place: nothing else imports them.
self.MonacoEnvironment = {
  getWorker: async (_, label) => {
    await whenCalm();
    await whenReachable();
    if (label === 'typescript' || label === 'javascript') return new TsWorker();
    return label === 'json' ? new JsonWorker() : new EditorWorker();
  },
};

ts.javascriptDefaults.setCompilerOptions({
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  lib: ['es2022'],
  allowJs: true,
  checkJs: true,
  allowNonTsExtensions: true,
  noEmit: true,
  strict: false,
  noImplicitAny: false,
});
ts.javascriptDefaults.setDiagnosticsOptions({
  noSemanticValidation: false,
  noSyntaxValidation: false,
  // A parameter without a type is how functions are written here.
  diagnosticCodesToIgnore: [7006, 7031, 7044, 80001, 80002, 80006],
});
ts.javascriptDefaults.setEagerModelSync(true);
ts.javascriptDefaults.addExtraLib(sandbox, 'file:///benchtop/sandbox.d.ts');
setCtxTypes(ctxDeclaration);

/** Says what ctx is from now on: the declaration of the function in view. */
export function setCtxTypes(declaration: string): void {
  ts.javascriptDefaults.addExtraLib(declaration, 'file:///benchtop/ctx.d.ts');
}

json.jsonDefaults.setDiagnosticsOptions({
  validate: true,
  allowComments: false,
  enableSchemaRequest: false,
  schemas: [{ uri: 'benchtop://schemas/manifest.json', fileMatch: ['*/manifest.json'], schema: manifestSchema }],
});

provideCtx(monaco);
defineThemes(monaco);

export { monaco };
