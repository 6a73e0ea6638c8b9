import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { monaco } from './monaco';
import classes from './CodeEditor.module.css';

interface Props {
  text: string;
  language: 'javascript' | 'json';
  label: string;
  /** A line to be shown and marked. */
  line?: number;
}

/** A text that can only be read. */
export default function CodeView({ text, language, label, line }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const model = monaco.editor.createModel(text, language);
    const editor = monaco.editor.create(host.current!, {
      model,
      readOnly: true,
      domReadOnly: true,
      automaticLayout: true,
      minimap: { enabled: false },
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--bt-mono'),
      fontSize: 13,
      lineHeight: 20,
      scrollBeyondLastLine: false,
      renderLineHighlight: 'none',
      renderValidationDecorations: 'off',
      stickyScroll: { enabled: false },
      lineNumbersMinChars: 3,
      overviewRulerBorder: false,
      ariaLabel: label,
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, alwaysConsumeMouseWheel: false },
    });
    if (line && line <= model.getLineCount()) {
      editor.createDecorationsCollection([{ range: new monaco.Range(line, 1, line, 1), options: { isWholeLine: true, className: classes.failedLine } }]);
      editor.revealLineInCenter(line);
    }
    return () => {
      editor.dispose();
      model.dispose();
    };
  }, [text, language, label, line]);
  useEffect(() => monaco.editor.setTheme(scheme === 'dark' ? 'bt-dark' : 'bt-light'), [scheme]);
  return <div ref={host} className={classes.host} data-testid="code-view" />;
}
