import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const Context = createContext<(text: string) => void>(() => undefined);

/** Holds the polite live region; what is said here is read by screen readers. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', n: 0 });
  // A changing key makes the same words count as new ones.
  const announce = useCallback((text: string) => setSaid((s) => ({ text, n: s.n + 1 })), []);
  return (
    <Context value={announce}>
      {children}
      <div role="status" aria-live="polite" className="visually-hidden" data-testid="announcer">
        <span key={said.n}>{said.text}</span>
      </div>
    </Context>
  );
}

export function useAnnounce(): (text: string) => void {
  return useContext(Context);
}
