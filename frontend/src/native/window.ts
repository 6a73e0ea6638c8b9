import { copyText } from './clipboard';
import type { Native } from './native';

// This is the only file that knows the functions Wails puts on the page. They
// are reached by name at run time: the same page also runs where they are absent.
interface Bound {
  OpenFolder(): Promise<string>;
  OpenExternal(url: string): Promise<void>;
  RevealInFolder(path: string): Promise<void>;
  Quit(): Promise<void>;
}

interface WailsGlobals {
  go?: { window?: { Native?: Bound } };
  runtime?: { ClipboardSetText?: (text: string) => Promise<boolean> };
}

/** What the desktop window offers, or undefined outside it. */
export function windowNative(globals: WailsGlobals = globalThis as WailsGlobals): Native | undefined {
  const bound = globals.go?.window?.Native;
  if (!bound) return undefined;
  return {
    kind: 'window',
    openFolder: async () => (await bound.OpenFolder()) || undefined,
    reveal: (path) => bound.RevealInFolder(path),
    openExternal: (url) => void bound.OpenExternal(url),
    quit: () => void bound.Quit(),
    copy: async (text) => {
      if (!(await globals.runtime?.ClipboardSetText?.(text))) await copyText(text);
    },
  };
}
