// The editor keeps neither the mark at the beginning of a text (U+FEFF) nor line
// ends that differ from the first ones. Files keep what they have.

const mark = '\ufeff';

/** The mark that a text begins with, if it has one. */
export const markOf = (text: string) => (text.startsWith(mark) ? mark : '');

/** A text without its mark. */
export const unmarked = (text: string) => text.slice(markOf(text).length);

/** The line ends that most lines of a text have. */
export function lineEndsOf(text: string): '\n' | '\r\n' {
  const windows = text.split('\r\n').length - 1;
  return windows > (text.split('\n').length - 1) / 2 ? '\r\n' : '\n';
}

/** Whether two texts are the same but for their line ends. */
export const sameLines = (a: string, b: string) => a === b || a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
