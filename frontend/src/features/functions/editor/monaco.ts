import * as monaco from 'monaco-editor/editor';
import './features';
import 'monaco-editor/languages/definitions/javascript/register';
import * as ts from 'monaco-editor/languages/features/typescript/register';
import * as json from 'monaco-editor/languages/features/json/register';
import editorWorker from 'monaco-editor/editor/editor.worker?worker&url';
import tsWorker from 'monaco-editor/languages/features/typescript/ts.worker?worker&url';
import jsonWorker from 'monaco-editor/languages/features/json/json.worker?worker&url';
import { ctxDeclaration } from '../../../api/contract.gen';
import { whenIdle } from '../../../ui/idle';
import { provideCtx } from './ctxCompletion';
import { defineAgentFile } from './languages';
import { manifestSchema } from './manifestSchema';
import sandbox from './sandbox.d.ts.txt?raw';
import { defineThemes } from './themes';

let calm: Promise<void> | undefined;

/** Language services take a core for a while: they begin when the page has nothing else to do, which is when the text is there. */
const whenCalm = () => (calm ??= new Promise<void>((resolve) => whenIdle(resolve)));

/**
 * Starts a worker once its script is here: one that could not be loaded is never
 * asked for again, and the platform may go away at any moment. What was fetched
 * is kept by the browser, so the worker does not load it anew.
 */
async function start(script: string): Promise<Worker> {
  const here = () =>
    fetch(script)
      .then(async (res) => res.ok && (await res.arrayBuffer()).byteLength > 0)
      .catch(() => false);
  for (let wait = 300; !(await here()); wait = Math.min(wait * 2, 8_000)) await new Promise((done) => setTimeout(done, wait));
  return new Worker(script, { type: 'module' });
}

// What Monaco gives up by itself it reports as an error that nobody caught.
addEventListener('unhandledrejection', (e) => {
  if (e.reason instanceof Error && e.reason.name === 'Canceled') e.preventDefault();
});

// The editor and its language services in one place: nothing else imports them.
self.MonacoEnvironment = {
  getWorker: async (_, label) => {
    await whenCalm();
    if (label === 'typescript' || label === 'javascript') return start(tsWorker);
    return start(label === 'json' ? jsonWorker : editorWorker);
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
defineAgentFile(monaco);
defineThemes(monaco);

export { monaco };
