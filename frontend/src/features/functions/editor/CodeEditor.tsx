import { useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { t } from '../../../i18n/t';
import type { ManifestEdit } from '../../../manifest/edit';
import { useCommand } from '../../../ui/commands';
import type { Hint } from './hints';
import type { Language } from './languages';
import { lineEndsOf, markOf, sameLines, unmarked } from './mark';
import { monaco, setCtxTypes } from './monaco';
import { PlainText } from './PlainText';
import { openQuickFixes } from './quickFix';
import classes from './CodeEditor.module.css';

export interface Marker {
  line: number;
  column: number;
  message: string;
  code: string;
  severity: 'error' | 'warning';
}

export interface EditorHandle {
  reveal(line: number, column: number): void;
  focus(): void;
  /** Runs one of the editor's own actions, such as going to a symbol. */
  act(action: string): void;
  /** Formats the text, wherever the focus is. */
  format(): Promise<void>;
  /** Gives a text that is not in view formatted, as long as it was typed in here since; undefined when it was not. */
  formatted(uri: string, text: string): Promise<string | undefined>;
  /** What was typed so far is saved. */
  settled(): void;
}

/** A change of the manifest that repairs what is marked in a line. */
export interface QuickFix {
  line: number;
  edit: ManifestEdit;
}

interface Props {
  /** Names the text: the same uri is the same text with its undo history. */
  uri: string;
  language: Language;
  text: string;
  label: string;
  markers: readonly Marker[];
  /** The declaration of ctx for this function. */
  ctx: string;
  /** What the last run did, written behind its lines. */
  hints: readonly Hint[];
  fixes: readonly QuickFix[];
  onFix: (edit: ManifestEdit) => void;
  onChange: (text: string) => void;
  /** Told about what the language services find. */
  onFound: (uri: string, found: Marker[]) => void;
  ref?: Ref<EditorHandle>;
}

const owner = 'benchtop';
/** The first editor of a page takes a moment to draw its text. */
let shownBefore = false;

/** Monaco on one text at a time. Texts keep their undo history while the page is open. */
export default function CodeEditor({ uri, language, text, label, markers, ctx, hints, fixes, onFix, onChange, onFound, ref }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [plain, setPlain] = useState(!shownBefore);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const states = useRef(new Map<string, monaco.editor.ICodeEditorViewState | null>());
  const change = useRef(onChange);
  const found = useRef(onFound);
  const mark = useRef('');
  const applying = useRef(false);
  /** The texts that were typed in: those that a fix alone has changed keep their layout. */
  const typed = useRef(new Set<string>());
  const fixing = useRef({ fixes, onFix });
  const wanted = useRef<{ uri: string; line: number; column: number }>(undefined);
  const behind = useRef<monaco.editor.IEditorDecorationsCollection>(undefined);
  useEffect(() => {
    change.current = onChange;
    found.current = onFound;
    mark.current = markOf(text);
    fixing.current = { fixes, onFix };
  });
  const scheme = useComputedColorScheme('light');

  useEffect(() => {
    const created = monaco.editor.create(host.current!, {
      automaticLayout: true,
      minimap: { enabled: false },
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--bt-mono'),
      fontSize: 13,
      lineHeight: 20,
      tabSize: 2,
      scrollBeyondLastLine: false,
      padding: { top: 10, bottom: 10 },
      renderLineHighlight: 'line',
      smoothScrolling: false,
      fixedOverflowWidgets: true,
      stickyScroll: { enabled: false },
      'semanticHighlighting.enabled': true,
      accessibilitySupport: 'auto',
      lineNumbersMinChars: 3,
      overviewRulerBorder: false,
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    });
    editor.current = created;
    const drawn = requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        performance.mark('editor.ready'); // for who measures: the text is in the last picture
        shownBefore = true;
        setPlain(false);
      }),
    );
    const changes = created.onDidChangeModelContent(() => {
      if (applying.current) return;
      typed.current.add(created.getModel()?.uri.toString() ?? '');
      change.current(mark.current + created.getValue());
    });
    const watching = monaco.editor.onDidChangeMarkers((uris) => {
      for (const u of uris) {
        const list = monaco.editor.getModelMarkers({ resource: u }).filter((m) => m.owner !== owner);
        found.current(u.toString(), list.filter((m) => m.severity >= monaco.MarkerSeverity.Warning).map(markerOf));
      }
    });
    behind.current = created.createDecorationsCollection();
    const repair = created.addCommand(0, (_, label: string) => {
      const fix = fixing.current.fixes.find((f) => f.edit.label === label);
      if (fix) fixing.current.onFix(fix.edit);
    });
    const actions = monaco.languages.registerCodeActionProvider('javascript', {
      provideCodeActions(model, range, context) {
        if (model !== created.getModel() || !repair) return { actions: [], dispose() {} };
        const mine = fixing.current.fixes.filter((f) => f.line >= range.startLineNumber && f.line <= range.endLineNumber);
        const labels = [...new Set(mine.map((f) => f.edit.label))];
        return {
          actions: labels.map((label) => ({
            title: t('Add {label} to the manifest', { label }),
            kind: 'quickfix',
            isPreferred: true,
            diagnostics: context.markers,
            command: { id: repair, title: t('Change the manifest'), arguments: [label] },
          })),
          dispose() {},
        };
      },
    });
    return () => {
      cancelAnimationFrame(drawn);
      actions.dispose();
      changes.dispose();
      watching.dispose();
      created.dispose();
      editor.current = undefined;
    };
  }, []);

  useEffect(() => {
    monaco.editor.setTheme(scheme === 'dark' ? 'bt-dark' : 'bt-light');
  }, [scheme]);

  /** Puts the cursor where it is wanted, as soon as that text is in view. */
  const goThere = useCallback((ed: monaco.editor.IStandaloneCodeEditor | undefined, shown: string) => {
    const place = wanted.current;
    if (!place || place.uri !== shown || ed?.getModel()?.uri.toString() !== monaco.Uri.parse(shown).toString()) return;
    wanted.current = undefined;
    ed.setPosition({ lineNumber: place.line, column: place.column });
    ed.revealLineInCenterIfOutsideViewport(place.line);
    ed.focus();
  }, []);

  useEffect(() => {
    const ed = editor.current;
    if (!ed) return;
    const at = monaco.Uri.parse(uri);
    const model = monaco.editor.getModel(at) ?? monaco.editor.createModel(unmarked(text), language, at);
    const kept = states.current;
    ed.setModel(model);
    // What the agent is told is prose.
    ed.updateOptions({ wordWrap: language === 'agentmd' ? 'on' : 'off' });
    const state = kept.get(uri);
    if (state) ed.restoreViewState(state);
    goThere(ed, uri);
    return () => void kept.set(uri, ed.saveViewState());
    // The text of a model is kept true below.
  }, [uri, language, goThere]);

  useEffect(() => {
    const model = editor.current?.getModel();
    if (!model || model.uri.toString() !== monaco.Uri.parse(uri).toString()) return;
    const now = unmarked(text);
    applying.current = true;
    // As an edit, so that undo leads back, and the cursor stays near where it was.
    if (!sameLines(model.getValue(), now)) model.pushEditOperations([], [{ range: model.getFullModelRange(), text: now }], () => editor.current?.getSelections() ?? null);
    if (model.getLineCount() > 1 && model.getEOL() !== lineEndsOf(now)) model.setEOL(lineEndsOf(now) === '\n' ? monaco.editor.EndOfLineSequence.LF : monaco.editor.EndOfLineSequence.CRLF);
    applying.current = false;
  }, [uri, text]);

  useEffect(() => {
    const model = editor.current?.getModel();
    if (!model) return;
    monaco.editor.setModelMarkers(
      model,
      owner,
      markers.map((m) => {
        const line = Math.min(Math.max(m.line, 1), model.getLineCount());
        const word = model.getWordAtPosition({ lineNumber: line, column: m.column });
        return {
          message: m.message,
          code: m.code,
          severity: m.severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
          startLineNumber: line,
          startColumn: word?.startColumn ?? m.column,
          endLineNumber: line,
          endColumn: word?.endColumn ?? Math.max(m.column + 1, model.getLineMaxColumn(line)),
        };
      }),
    );
  }, [uri, text, markers]);

  useCommand('focusEditor', () => editor.current?.focus());
  useEffect(() => editor.current?.updateOptions({ ariaLabel: label }), [label]);
  useEffect(() => setCtxTypes(ctx), [ctx]);
  useEffect(() => {
    const lines = editor.current?.getModel()?.getLineCount() ?? 0;
    behind.current?.set(
      hints
        .filter((h) => h.line <= lines)
        .map((h) => ({
          range: new monaco.Range(h.line, 1, h.line, Number.MAX_SAFE_INTEGER),
          options: { after: { content: `    ${h.text}`, inlineClassName: h.failed ? classes.hintFailed! : classes.hint! }, isWholeLine: true },
        })),
    );
  }, [uri, hints]);

  useImperativeHandle(ref, () => ({
    reveal(line, column) {
      wanted.current = { uri, line, column };
      goThere(editor.current, uri);
    },
    focus: () => editor.current?.focus(),
    act(action) {
      editor.current?.focus();
      if (action !== 'editor.action.quickFix') editor.current?.trigger('keyboard', action, undefined);
      else if (editor.current) openQuickFixes(editor.current);
    },
    async format() {
      if (editor.current) await formatIn(editor.current);
    },
    async formatted(other, now) {
      const model = monaco.editor.getModel(monaco.Uri.parse(other));
      if (!model || !typed.current.has(model.uri.toString())) return undefined;
      // An editor that nobody sees: the formatters are those of editors alone.
      const hidden = monaco.editor.create(document.createElement('div'), { model });
      try {
        if (!sameLines(model.getValue(), unmarked(now))) model.pushEditOperations([], [{ range: model.getFullModelRange(), text: unmarked(now) }], () => null);
        await formatIn(hidden);
        return markOf(now) + model.getValue();
      } finally {
        hidden.dispose();
      }
    },
    settled: () => typed.current.clear(),
  }));

  return (
    <>
      <div ref={host} className={classes.host} data-testid="editor" data-uri={uri} />
      {plain && <PlainText text={text} />}
    </>
  );
}

/** Formats the text of an editor. The formatter of JSON takes the last line end away, which belongs to the file. */
async function formatIn(editor: monaco.editor.IStandaloneCodeEditor): Promise<void> {
  const model = editor.getModel();
  const ended = model?.getValue().endsWith('\n');
  await editor.getAction('editor.action.formatDocument')?.run();
  if (!ended || !model || model.isDisposed() || model.getValue().endsWith('\n')) return;
  const end = model.getFullModelRange().getEndPosition();
  model.pushEditOperations([], [{ range: monaco.Range.fromPositions(end), text: model.getEOL() }], () => null);
}

function markerOf(m: monaco.editor.IMarker): Marker {
  const code = typeof m.code === 'object' ? m.code.value : m.code;
  return {
    line: m.startLineNumber,
    column: m.startColumn,
    message: m.message,
    code: code === undefined ? m.owner : /^\d+$/.test(code) ? `TS${code}` : code,
    severity: m.severity === monaco.MarkerSeverity.Error ? 'error' : 'warning',
  };
}
