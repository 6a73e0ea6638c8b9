import type * as Monaco from 'monaco-editor/editor';
import 'monaco-editor/languages/definitions/markdown/register';
import 'monaco-editor/languages/definitions/yaml/register';

/** What a text of the workbench is written in. */
export type Language = 'javascript' | 'json' | 'agentmd';

/** AGENT.md: YAML between --- lines, then Markdown. Each is loaded when there is such a text. */
export function defineAgentFile(monaco: typeof Monaco): void {
  monaco.languages.register({ id: 'agentmd' });
  monaco.languages.setLanguageConfiguration('agentmd', { comments: { lineComment: '#' }, brackets: [['{', '}'], ['[', ']']], autoClosingPairs: [{ open: '{', close: '}' }, { open: '[', close: ']' }, { open: '"', close: '"' }] });
  monaco.languages.setMonarchTokensProvider('agentmd', {
    defaultToken: '',
    tokenizer: {
      // The first line decides: without --- there is no head.
      root: [
        [/^---\s*$/, { token: 'keyword', switchTo: '@head', nextEmbedded: 'yaml' }],
        [/^.*$/, { token: '@rematch', switchTo: '@body', nextEmbedded: 'markdown' }],
      ],
      head: [[/^---\s*$/, { token: 'keyword', switchTo: '@between', nextEmbedded: '@pop' }]],
      between: [[/^.*$/, { token: '@rematch', switchTo: '@body', nextEmbedded: 'markdown' }]],
      // Nothing ends it; Monarch asks for a rule that could.
      body: [[/[^\s\S]/, { token: '', nextEmbedded: '@pop' }]],
    },
  });
}
