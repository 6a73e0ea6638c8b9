import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { t } from '../../../i18n/t';
import type { Language } from './languages';
import { markOf, unmarked } from './mark';
import { monaco } from './monaco';
import classes from './CodeEditor.module.css';

interface Props {
  language: Language;
  /** The left side, only to be read. */
  theirs: string;
  /** The right side, to be edited. */
  mine: string;
  /** What the left side is; "On disk" for a conflict. */
  left?: string;
  onChange: (text: string) => void;
}

/** Two versions side by side; the right one can be edited. */
export default function DiffEditor({ language, theirs, mine, left: leftName = t('On disk'), onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const right = useRef<monaco.editor.ITextModel>(undefined);
  const left = useRef<monaco.editor.ITextModel>(undefined);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = (text) => onChange(markOf(mine) + text);
  });
  const scheme = useComputedColorScheme('light');

  useEffect(() => {
    const original = monaco.editor.createModel(unmarked(theirs), language);
    const modified = monaco.editor.createModel(unmarked(mine), language);
    left.current = original;
    right.current = modified;
    const editor = monaco.editor.createDiffEditor(host.current!, {
      automaticLayout: true,
      originalEditable: false,
      originalAriaLabel: leftName,
      modifiedAriaLabel: t('Mine'),
      minimap: { enabled: false },
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: false,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--bt-mono'),
      fontSize: 13,
      lineHeight: 20,
      scrollBeyondLastLine: false,
      renderOverviewRuler: false,
      glyphMargin: false,
      folding: false,
      lineNumbersMinChars: 3,
      renderMarginRevertIcon: false,
    });
    // Owned here: the editor does not end a comparison of its own that is under
    // way when it is disposed of, and that one then misses its texts.
    const compared = editor.createViewModel({ original, modified });
    editor.setModel(compared);
    const changes = modified.onDidChangeContent(() => change.current(modified.getValue()));
    return () => {
      changes.dispose();
      editor.setModel(null);
      compared.dispose();
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
    // Made once; later texts are put into the models below.
  }, [language]);

  useEffect(() => {
    if (left.current && left.current.getValue() !== unmarked(theirs)) left.current.setValue(unmarked(theirs));
  }, [theirs]);
  useEffect(() => {
    if (right.current && right.current.getValue() !== unmarked(mine)) right.current.setValue(unmarked(mine));
  }, [mine]);
  useEffect(() => monaco.editor.setTheme(scheme === 'dark' ? 'bt-dark' : 'bt-light'), [scheme]);

  return <div ref={host} className={classes.host} data-testid="diff-editor" />;
}
