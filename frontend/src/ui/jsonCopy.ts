import type { JsonLines } from './jsonLines';
import { seen } from './json';

/**
 * The part of a value's text that is selected in its tree, every character of it:
 * also what is folded, shortened or out of sight, and none of what is only there
 * to look at. Undefined where the selection is not within the tree.
 */
export function selectedText(tree: HTMLElement, selection: Selection | null, lines: JsonLines): string | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const from = placeOf(tree, range.startContainer, range.startOffset, lines);
  const to = placeOf(tree, range.endContainer, range.endOffset, lines);
  return from === undefined || to === undefined ? undefined : lines.text.slice(from, to);
}

/** The row that a node lies in. */
export const rowOf = (node: Node | null): HTMLElement | undefined => (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-line]') ?? undefined;

/** The place of the text that a place of the document shows. */
function placeOf(tree: HTMLElement, node: Node, offset: number, lines: JsonLines): number | undefined {
  if (!tree.contains(node)) return undefined;
  const row = rowOf(node);
  if (!row) {
    // Between rows: the next one's beginning, or the end of all.
    const next = node.childNodes[offset];
    const below = next instanceof HTMLElement ? (next.matches('[data-line]') ? next : next.querySelector<HTMLElement>('[data-line]')) : undefined;
    if (below) return lines.start(Number(below.dataset.line));
    return offset === 0 ? 0 : lines.text.length;
  }
  const line = Number(row.dataset.line);
  const code = row.querySelector('[data-code]');
  if (!code) return lines.start(line);
  const shown = code.textContent ?? '';
  const before = document.createRange();
  before.setStart(code, 0);
  if (code.contains(node)) before.setEnd(node, offset);
  else if (code.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING || (node === row && offset > 0)) before.setEnd(code, code.childNodes.length);
  else return lines.start(line);
  const length = before.toString().length;
  // Behind what shows of a row lies what it leaves out.
  if (length >= shown.length) return lines.stop(row.dataset.folded === undefined ? line : lines.end(line));
  return lines.start(line) + written(lines.text.slice(lines.start(line), lines.stop(line)), length);
}

/** How many characters of a text make as many as are shown of it: some show as an escape. */
function written(text: string, shown: number): number {
  let at = 0;
  for (let n = 0; at < text.length; at++) {
    n += seen(text.charAt(at)).length;
    if (n > shown) break;
  }
  return at;
}
