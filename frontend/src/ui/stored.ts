import { useCallback, useState } from 'react';

/** A value kept in the browser between visits. Storage that is full or forbidden is no error. */
export function readStored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`benchtop:${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`benchtop:${key}`);
    else localStorage.setItem(`benchtop:${key}`, JSON.stringify(value));
  } catch {
    // Only comfort is lost.
  }
}

/** The keys of all values whose key begins so. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((k) => k.startsWith(`benchtop:${prefix}`))
      .map((k) => k.slice('benchtop:'.length));
  } catch {
    return [];
  }
}

export function useStored<T>(key: string, fallback: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => readStored(key, fallback));
  const set = useCallback(
    (next: T) => {
      setValue(next);
      writeStored(key, next);
    },
    [key],
  );
  return [value, set];
}
