import { createContext, useContext, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { isChord, matches, shortcuts, worksWhileTyping, type ShortcutId } from './shortcuts';

/** Commands knows what the shortcuts do right now: what is on the screen registers it. */
export class Commands {
  private readonly handlers = new Map<ShortcutId, (() => void)[]>();
  private readonly watchers = new Set<() => void>();
  private ids: readonly ShortcutId[] = [];

  /** Registers a handler; the newest one wins. The answer removes it. */
  register(id: ShortcutId, handler: () => void): () => void {
    this.handlers.set(id, [...(this.handlers.get(id) ?? []), handler]);
    this.changed();
    return () => {
      const rest = (this.handlers.get(id) ?? []).filter((h) => h !== handler);
      if (rest.length) this.handlers.set(id, rest);
      else this.handlers.delete(id);
      this.changed();
    };
  }

  /** Runs the command; false when nothing on the screen does it. */
  run(id: ShortcutId): boolean {
    const handler = this.handlers.get(id)?.at(-1);
    handler?.();
    return handler !== undefined;
  }

  /** The commands that do something right now. */
  available = (): readonly ShortcutId[] => this.ids;

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Handles a key event of the whole page. */
  onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented && !event.ctrlKey && !event.metaKey) return;
    for (const [id, { keys }] of Object.entries(shortcuts) as [ShortcutId, { keys: string }][]) {
      if (!matches(keys, event)) continue;
      if (isTyping(event.target) && !worksWhileTyping(keys)) return;
      const done = this.run(id);
      if (!done && !isChord(keys)) return;
      // The keys are ours even when nothing listens: Ctrl+S must not save the page.
      event.preventDefault();
      // The editor may have a use for keys that nothing else on the screen has one for.
      if (!done && inEditor(event.target)) return;
      event.stopPropagation();
      return;
    }
  };

  private changed(): void {
    this.ids = [...this.handlers.keys()];
    for (const watcher of this.watchers) watcher();
  }
}

/** Whether keys go into a text. The editor's own element for that is neither a field nor editable: only its role says it. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.getAttribute('role') === 'textbox';
}

function inEditor(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.monaco-editor') !== null;
}

const Context = createContext<Commands | undefined>(undefined);

/** Gives commands to what is inside, and listens to the page's keys. */
export function CommandsProvider({ commands, children }: { commands: Commands; children: ReactNode }) {
  useEffect(() => {
    // Before the editor, which has keys of its own for some of ours.
    window.addEventListener('keydown', commands.onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', commands.onKeyDown, { capture: true });
  }, [commands]);
  return <Context value={commands}>{children}</Context>;
}

export function useCommands(): Commands {
  const commands = useContext(Context);
  if (!commands) throw new Error('useCommands needs a CommandsProvider above it');
  return commands;
}

export function useAvailable(): readonly ShortcutId[] {
  const commands = useCommands();
  return useSyncExternalStore(commands.watch, commands.available);
}

/** Makes a shortcut do something while the component is there. */
export function useCommand(id: ShortcutId, handler: () => void, enabled = true): void {
  const commands = useCommands();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => (enabled ? commands.register(id, () => latest.current()) : undefined), [commands, id, enabled]);
}
