import type * as Monaco from 'monaco-editor/editor';

/** The editor's colours are those of the page. */
export function defineThemes(monaco: typeof Monaco): void {
  monaco.editor.defineTheme('bt-light', {
    base: 'vs',
    inherit: true,
    rules: [
      { token: 'comment', foreground: '5d6b74', fontStyle: 'italic' },
      { token: 'string', foreground: '0b6e4f' },
      { token: 'string.key.json', foreground: '7a3e9d' },
      { token: 'string.value.json', foreground: '0b6e4f' },
      { token: 'keyword', foreground: '8a2f6b' },
      { token: 'number', foreground: '1f5fae' },
    ],
    colors: {
      'editor.background': '#ffffff',
      'editor.lineHighlightBackground': '#f6f8f9',
      'editorLineNumber.foreground': '#7d8991',
      'editorLineNumber.activeForeground': '#15191c',
      'editorGutter.background': '#ffffff',
      'editorIndentGuide.background1': '#eceff1',
      'editorWidget.background': '#ffffff',
      'editorWidget.border': '#dfe4e7',
      focusBorder: '#0b6e66',
    },
  });
  monaco.editor.defineTheme('bt-dark', {
    base: 'vs-dark',
    inherit: true,
    rules: [
      { token: 'comment', foreground: '8b979f', fontStyle: 'italic' },
      { token: 'string', foreground: '7fd1a8' },
      { token: 'string.key.json', foreground: 'cf9ff0' },
      { token: 'string.value.json', foreground: '7fd1a8' },
      { token: 'keyword', foreground: 'f09ac6' },
      { token: 'number', foreground: '8fbdf7' },
    ],
    colors: {
      'editor.background': '#15191c',
      'editor.lineHighlightBackground': '#1b2024',
      'editorLineNumber.foreground': '#7a868e',
      'editorLineNumber.activeForeground': '#e7ebed',
      'editorGutter.background': '#15191c',
      'editorIndentGuide.background1': '#242b30',
      'editorWidget.background': '#1b2024',
      'editorWidget.border': '#2f383e',
      focusBorder: '#4cc2b4',
    },
  });
}
