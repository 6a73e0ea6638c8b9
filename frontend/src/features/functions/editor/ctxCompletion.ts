import type * as Monaco from 'monaco-editor/editor';
import { ctxMembers } from '../../../api/contract.gen';
import { t } from '../../../i18n/t';

interface Member {
  name: string;
  detail: string;
  doc: string;
}

/** Members of ctx that are no host calls, for files in which ctx has no declared type. */
const local: readonly { path: string; signature: string; doc: string }[] = [
  { path: 'fetch', signature: '(url, init?): Promise<Response>', doc: t('Calls an address that permissions.fetch allows.') },
  { path: 'emit', signature: '(event: string, payload?: unknown): void', doc: t('Sends an event to whoever follows this invocation.') },
  { path: 'request', signature: ': CtxRequest', doc: t('The HTTP request.') },
  { path: 'toolCall', signature: ': { name, params, callId }', doc: t('The tool call, for invocations with arguments.') },
  { path: 'auth', signature: ': { userId, agentId, scopes, authenticated }', doc: t('Who calls.') },
  { path: 'source', signature: ': { skill, invocationId, … }', doc: t('What this invocation came from.') },
  { path: 'limits', signature: ': { wallMs, memoryMb, … }', doc: t('The limits this invocation runs under.') },
  ...(['debug', 'info', 'warn', 'error'] as const).map((level) => ({
    path: `log.${level}`,
    signature: '(...values): void',
    doc: t('Writes to the log of the invocation.'),
  })),
];

/** What handlers of endpoints have beside it. */
const ofEndpoints: typeof local = [
  { path: 'args', signature: ': EndpointArgs', doc: t('What the path, the query and a JSON body bring, by name.') },
  { path: 'agent.complete', signature: t('({ messages }): AsyncIterable'), doc: t("The chunks of the agent's own model.") },
  { path: 'socket.accept', signature: t('(protocol?): Promise<void>'), doc: t('Opens the WebSocket; the first send or receive does it, too.') },
  { path: 'socket.send', signature: t('(value): Promise<void>'), doc: t('Sends a value as JSON.') },
  { path: 'socket.receive', signature: '(): Promise<any>', doc: t('The next message; undefined once there will be none.') },
  { path: 'socket.close', signature: t('(code?, reason?): Promise<void>'), doc: t('Closes the WebSocket.') },
];

/** The members below a path of ctx such as "" or "kv". */
function membersAt(path: string, endpoint = false): Member[] {
  const prefix = path ? `${path}.` : '';
  const out = new Map<string, Member>();
  for (const { path: full, signature, doc } of [...ctxMembers, ...local, ...(endpoint ? ofEndpoints : [])]) {
    if (!full.startsWith(prefix)) continue;
    const [name = '', ...deeper] = full.slice(prefix.length).split('.');
    if (out.has(name)) continue;
    out.set(name, deeper.length ? { name, detail: t('namespace'), doc: '' } : { name, detail: signature, doc });
  }
  return [...out.values()];
}

/** Whether a text is one of a module: its address ends in the module's path. */
const isEndpoint = (path: string) => /^\/[^/]+\/endpoints\//.test(path);

/**
 * Completes ctx where the file says nothing about its type. With a JSDoc type
 * (`@param {Ctx} ctx`) the language service knows it all and this stays silent.
 */
export function provideCtx(monaco: typeof Monaco): void {
  monaco.languages.registerCompletionItemProvider('javascript', {
    triggerCharacters: ['.'],
    provideCompletionItems(model, position) {
      const line = model.getValueInRange({ startLineNumber: position.lineNumber, startColumn: 1, endLineNumber: position.lineNumber, endColumn: position.column });
      const match = /\bctx((?:\.\w+)*)\.(\w*)$/.exec(line);
      if (!match || /\{\s*(?:Ctx|EndpointHandler|EndpointStream)\s*\}/.test(model.getValue())) return { suggestions: [] };
      const word = model.getWordUntilPosition(position);
      return {
        suggestions: membersAt((match[1] ?? '').slice(1), isEndpoint(model.uri.path)).map((m) => ({
          label: { label: m.name, description: m.detail },
          kind: m.detail === 'namespace' ? monaco.languages.CompletionItemKind.Module : monaco.languages.CompletionItemKind.Method,
          documentation: m.doc,
          insertText: m.name,
          range: { startLineNumber: position.lineNumber, endLineNumber: position.lineNumber, startColumn: word.startColumn, endColumn: word.endColumn },
        })),
      };
    },
  });
}
