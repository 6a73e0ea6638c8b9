/**
 * Native is what the surrounding program offers: the desktop window through its
 * few bound functions, a browser through its own means.
 */
export interface Native {
  kind: 'window' | 'browser';
  /** Shows a folder dialog; undefined when it was cancelled. Absent in a browser. */
  openFolder?: () => Promise<string | undefined>;
  /** Shows a path in the file manager. Absent in a browser. */
  reveal?: (path: string) => Promise<void>;
  /** Opens an address in the system's browser. */
  openExternal: (url: string) => void;
  /** Ends the program. Absent in a browser. */
  quit?: () => void;
  /** Puts a text on the clipboard. */
  copy: (text: string) => Promise<void>;
}
