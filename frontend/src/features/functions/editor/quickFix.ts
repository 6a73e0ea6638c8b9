import type * as monaco from 'monaco-editor';

/** When an answer that has not come is asked for again, ms after the first time. */
const again = [700, 2100, 4900];
const look = 50;

/**
 * Opens the list of quick fixes at the cursor. Monaco gives up a request of a person
 * half a second after the cursor moved or a problem was found, when the language
 * service is still at work then: nothing opens, and nothing says so. So it is asked
 * again until there is an answer, unless the person has gone on meanwhile.
 */
export function openQuickFixes(editor: monaco.editor.ICodeEditor): void {
  const model = editor.getModel();
  const place = editor.getPosition();
  if (!model || !place) return;
  const version = model.getVersionId();
  const ask = () => editor.trigger('keyboard', 'editor.action.quickFix', undefined);
  const begun = performance.now();
  let asked = 0;
  ask();
  const timer = setInterval(() => {
    const goneOn = editor.getModel() !== model || model.isDisposed() || model.getVersionId() !== version || !editor.getPosition()?.equals(place) || !editor.hasTextFocus();
    const due = again[asked];
    if (goneOn || answered() || due === undefined) return clearInterval(timer);
    if (performance.now() - begun < due) return;
    asked++;
    ask();
  }, look);
}

/** Whether the list is open, or a message says that there is none. */
const answered = () => document.querySelector('.action-widget, .monaco-editor-overlaymessage') !== null;
