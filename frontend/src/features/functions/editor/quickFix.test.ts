import type * as monaco from 'monaco-editor';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openQuickFixes } from './quickFix';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function fake() {
  const state = { asked: 0, version: 1, column: 1, focus: true };
  const model = { getVersionId: () => state.version, isDisposed: () => false };
  const editor = {
    getModel: () => model,
    getPosition: () => {
      const { column } = state;
      return { column, equals: (other: { column: number }) => other.column === column };
    },
    hasTextFocus: () => state.focus,
    trigger: () => void state.asked++,
  } as unknown as monaco.editor.ICodeEditor;
  return { state, editor };
}

function open(kind = 'action-widget') {
  const list = document.createElement('div');
  list.className = kind;
  document.body.append(list);
  return list;
}

test('what is not answered is asked for again, and not for ever', () => {
  const { state, editor } = fake();
  openQuickFixes(editor);
  expect(state.asked).toBe(1);
  vi.advanceTimersByTime(800);
  expect(state.asked).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(state.asked).toBe(4);
  expect(vi.getTimerCount()).toBe(0);
});

test.each(['action-widget', 'monaco-editor-overlaymessage'])('a list that was closed does not come back (%s)', (kind) => {
  const { state, editor } = fake();
  openQuickFixes(editor);
  const list = open(kind);
  vi.advanceTimersByTime(100);
  list.remove();
  vi.advanceTimersByTime(60_000);
  expect(state.asked).toBe(1);
});

test.each([{ version: 2 }, { column: 5 }, { focus: false }])('whoever has gone on is left alone (%o)', (change) => {
  const { state, editor } = fake();
  openQuickFixes(editor);
  Object.assign(state, change);
  vi.advanceTimersByTime(60_000);
  expect(state.asked).toBe(1);
});
