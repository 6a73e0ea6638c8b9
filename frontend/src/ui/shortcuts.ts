import { t } from '../i18n/t';

/**
 * Every command that has a key. Tooltips, the palette, the "?" sheet and the key
 * handler read this one table; a test finds keys that are used twice.
 *
 * A key is written "Mod+Shift+K": Mod is Cmd on macOS and Ctrl elsewhere; Ctrl
 * is Ctrl everywhere, for keys that macOS keeps for itself.
 */
export const shortcuts = {
  palette: { keys: 'Mod+K', title: t('Search or run a command'), group: t('Everywhere') },
  goToFunction: { keys: 'Mod+P', title: t('Go to function'), group: t('Everywhere') },
  toggleActivity: { keys: 'Mod+J', title: t('Show or hide activity'), group: t('Everywhere') },
  cheatSheet: { keys: '?', title: t('Keyboard shortcuts'), group: t('Everywhere') },
  place1: { keys: 'Mod+1', title: t('Home'), group: t('Places') },
  place2: { keys: 'Mod+2', title: t('Functions'), group: t('Places') },
  place3: { keys: 'Mod+3', title: t('Client'), group: t('Places') },
  place4: { keys: 'Mod+4', title: t('Activity'), group: t('Places') },
  place5: { keys: 'Mod+5', title: t('Schedules'), group: t('Places') },
  place6: { keys: 'Mod+6', title: t('Payments'), group: t('Places') },
  place7: { keys: 'Mod+7', title: t('Data'), group: t('Places') },
  place8: { keys: 'Mod+8', title: t('Secrets'), group: t('Places') },
  settings: { keys: 'Mod+,', title: t('Settings'), group: t('Places') },
  save: { keys: 'Mod+S', title: t('Save and validate'), group: t('Functions') },
  run: { keys: 'Mod+Enter', title: t('Run'), group: t('Functions') },
  runMany: { keys: 'Mod+Shift+Enter', title: t('Run ten times'), group: t('Functions') },
  replayLast: { keys: 'Mod+R', title: t('Replay the last run'), group: t('Functions') },
  focusEditor: { keys: 'Mod+E', title: t('Go to the text'), group: t('Functions') },
  focusRun: { keys: 'Ctrl+`', title: t('Go to the run panel'), group: t('Functions') },
  saveCall: { keys: 'Mod+Alt+S', title: t('Save this call'), group: t('Functions') },
  diffPrevious: { keys: 'Mod+D', title: t('Compare with the run before'), group: t('Functions') },
  quickFix: { keys: 'Mod+.', title: t('Quick fix'), group: t('Functions') },
  findInFiles: { keys: 'Mod+Shift+F', title: t('Find in all files'), group: t('Functions') },
  goToSymbol: { keys: 'Mod+Shift+O', title: t('Go to symbol'), group: t('Functions') },
  nextProblem: { keys: 'F8', title: t('Next problem'), group: t('Functions') },
  newFunction: { keys: 'Mod+Alt+N', title: t('New function'), group: t('Functions') },
  filter: { keys: '/', title: t('Filter the list'), group: t('Lists') },
} as const satisfies Record<string, { keys: string; title: string; group: string }>;

export type ShortcutId = keyof typeof shortcuts;

/** Keys that lists handle themselves while one of their rows has the focus. */
export const listKeys = [
  { keys: 'J', title: t('Next row') },
  { keys: 'K', title: t('Previous row') },
  { keys: 'Enter', title: t('Open the row') },
  { keys: 'Escape', title: t('Close the top layer') },
] as const;

/** Keys of the editor itself, while its text has the focus. */
export const textKeys = [
  { keys: 'Mod+F', title: t('Find in this text') },
  { keys: isMac() ? 'Mod+Alt+F' : 'Mod+H', title: t('Replace in this text') },
  { keys: 'Mod+D', title: t('Select the next match as well') },
  { keys: 'Mod+Shift+L', title: t('Select all matches') },
  { keys: 'F2', title: t('Rename the symbol') },
  { keys: 'F12', title: t('Go to the definition') },
  { keys: 'Shift+F12', title: t('Find uses of the symbol') },
  { keys: 'Mod+/', title: t('Comment lines out, or in again') },
  { keys: 'Alt+ArrowUp', title: t('Move lines up') },
  { keys: 'Shift+Alt+F', title: t('Format the text') },
  { keys: 'Ctrl+G', title: t('Go to a line') },
  { keys: 'F1', title: t('All commands of the editor') },
] as const;

function isMac(platform = globalThis.navigator?.platform ?? ''): boolean {
  return /^(Mac|iPhone|iPad)/.test(platform);
}

export interface KeyLike {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Whether a key event is the one written as text. */
export function matches(keys: string, event: KeyLike, mac = isMac()): boolean {
  const parts = keys.split('+');
  const key = parts.pop() ?? '';
  const wants = (name: string) => parts.includes(name);
  const ctrl = wants('Ctrl') || (!mac && wants('Mod'));
  const meta = mac && wants('Mod');
  if (event.ctrlKey !== ctrl || event.metaKey !== meta || event.altKey !== wants('Alt')) return false;
  // A sign such as "?" may need Shift on one keyboard and not on another.
  if (/^[A-Za-z0-9]$|^.{2,}$/.test(key) && event.shiftKey !== wants('Shift')) return false;
  if (event.key.toLowerCase() === key.toLowerCase()) return true;
  // With Alt held some systems give another character: the physical key counts.
  return /^[A-Z]$/.test(key) && wants('Alt') && event.code === `Key${key}`;
}

/** Whether the keys work while a text is being typed: those with Mod or Ctrl, and F keys. */
export function worksWhileTyping(keys: string): boolean {
  return isChord(keys) || /^F\d+$/.test(keys);
}

/** Whether the keys are ours even when nothing listens: the browser has uses for them. */
export function isChord(keys: string): boolean {
  return /^(Mod|Ctrl)\+/.test(keys);
}

const macSigns: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '⏎', Escape: 'esc', ArrowUp: '↑' };

/** The parts of a key as people write it on their system. */
export function keyLabels(keys: string, mac = isMac()): string[] {
  return keys.split('+').map((part) => {
    if (mac) return macSigns[part] ?? part;
    return { Mod: 'Ctrl', Escape: 'Esc', ArrowUp: '↑' }[part] ?? part;
  });
}
