import { createContext, useContext, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import type { Client } from './client';
import type { Boot } from './contract.gen';
import type { EventStream, StreamState } from './events';

export interface Api {
  boot: Boot;
  client: Client;
  events: EventStream;
}

const Context = createContext<Api | undefined>(undefined);

export function ApiProvider({ api, children }: { api: Api; children: ReactNode }) {
  return <Context value={api}>{children}</Context>;
}

export function useApi(): Api {
  const api = useContext(Context);
  if (!api) throw new Error('useApi needs an ApiProvider above it');
  return api;
}

export function useStreamState(): StreamState {
  const { events } = useApi();
  return useSyncExternalStore(events.watch, () => events.state);
}

/** Counts as waiting for the platform for as long as something is on its way. */
export function useSlow(active: boolean): void {
  const { client } = useApi();
  useEffect(() => (active ? client.waiting.begin() : undefined), [active, client]);
}
