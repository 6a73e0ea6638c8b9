/**
 * Every command that has a key. Tooltips, the palette, the "?" sheet and the key
 * handler read this one table; a test finds keys that are used twice.
 *
 * A key is written "Mod+Shift+K": Mod is Cmd on macOS and Ctrl elsewhere; Ctrl
 * is Ctrl everywhere, for keys that macOS keeps for itself.
 */
export const shortcuts = {
  palette: { keys: 'Mod+K', title: 'Search or run a command', group: 'Everywhere' },
  goToFunction: { keys: 'Mod+P', title: 'Go to function', group: 'Everywhere' },
  toggleActivity: { keys: 'Mod+J', title: 'Show or hide activity', group: 'Everywhere' },
  cheatSheet: { keys: '?', title: 'Keyboard shortcuts', group: 'Everywhere' },
  place1: { keys: 'Mod+1', title: 'Home', group: 'Places' },
  place2: { keys: 'Mod+2', title: 'Functions', group: 'Places' },
  place3: { keys: 'Mod+3', title: 'Client', group: 'Places' },
  place4: { keys: 'Mod+4', title: 'Activity', group: 'Places' },
  place5: { keys: 'Mod+5', title: 'Schedules', group: 'Places' },
  place6: { keys: 'Mod+6', title: 'Payments', group: 'Places' },
  place7: { keys: 'Mod+7', title: 'Data', group: 'Places' },
  place8: { keys: 'Mod+8', title: 'Secrets', group: 'Places' },
  settings: { keys: 'Mod+,', title: 'Settings', group: 'Places' },
  save: { keys: 'Mod+S', title: 'Save and validate', group: 'Functions' },
  run: { keys: 'Mod+Enter', title: 'Run', group: 'Functions' },
  runMany: { keys: 'Mod+Shift+Enter', title: 'Run ten times', group: 'Functions' },
  replayLast: { keys: 'Mod+R', title: 'Replay the last run', group: 'Functions' },
  focusEditor: { keys: 'Mod+E', title: 'Go to the text', group: 'Functions' },
  focusRun: { keys: 'Ctrl+`', title: 'Go to the run panel', group: 'Functions' },
  saveCall: { keys: 'Mod+Alt+S', title: 'Save this call', group: 'Functions' },
  diffPrevious: { keys: 'Mod+D', title: 'Compare with the run before', group: 'Functions' },
  quickFix: { keys: 'Mod+.', title: 'Quick fix', group: 'Functions' },
  goToSymbol: { keys: 'Mod+Shift+O', title: 'Go to symbol', group: 'Functions' },
  nextProblem: { keys: 'F8', title: 'Next problem', group: 'Functions' },
  newFunction: { keys: 'Mod+Alt+N', title: 'New function', group: 'Functions' },
  filter: { keys: '/', title: 'Filter the list', group: 'Lists' },
} as const satisfies Record<string, { keys: string; title: string; group: string }>;

export type ShortcutId = keyof typeof shortcuts;

/** Keys that lists handle themselves while one of their rows has the focus. */
export const listKeys = [
  { keys: 'J', title: 'Next row' },
  { keys: 'K', title: 'Previous row' },
  { keys: 'Enter', title: 'Open the row' },
  { keys: 'Escape', title: 'Close the top layer' },
] as const;

export function isMac(platform = globalThis.navigator?.platform ?? ''): boolean {
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

const macSigns: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '⏎', Escape: 'esc' };

/** The parts of a key as people write it on their system. */
export function keyLabels(keys: string, mac = isMac()): string[] {
  return keys.split('+').map((part) => {
    if (mac) return macSigns[part] ?? part;
    return { Mod: 'Ctrl', Escape: 'Esc' }[part] ?? part;
  });
}
