import { createContext, useContext, type ReactNode } from 'react';
import { browserNative } from './browser';
import type { Native } from './native';
import { windowNative } from './window';

const Context = createContext<Native | undefined>(undefined);

export function detectNative(): Native {
  return windowNative() ?? browserNative();
}

export function NativeProvider({ native, children }: { native: Native; children: ReactNode }) {
  return <Context value={native}>{children}</Context>;
}

export function useNative(): Native {
  const native = useContext(Context);
  if (!native) throw new Error('useNative needs a NativeProvider above it');
  return native;
}
