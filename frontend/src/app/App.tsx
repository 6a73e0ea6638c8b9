import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiProvider, type Api } from '../api/ApiContext';
import { Unreachable } from '../api/errors';
import { EventStream } from '../api/events';
import { followEvents } from '../api/live';
import { browserTabs } from '../api/tabs';
import { t } from '../i18n/t';
import { AnnouncerProvider } from '../ui/Announcer';
import { Commands, CommandsProvider } from '../ui/commands';
import { cssVariables, theme } from '../ui/theme';
import { Guard } from './Guard';
import { Login, Unreached } from './Login';
import { begin, takeLoginCode, type Session } from './session';
import { Shell } from './Shell';
import classes from './App.module.css';

export function App({ session }: { session: Promise<Session> }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications className={classes.notifications} position="bottom-left" containerWidth={400} limit={3} autoClose={5000} zIndex={400} />
      <Gate first={session} />
    </MantineProvider>
  );
}

/** Lets in who has a session; shows the rest of the world how to get one. */
function Gate({ first }: { first: Promise<Session> }) {
  const [session, setSession] = useState<Session>({ state: 'starting' });
  const enter = (code?: string) => void begin(code).then(setSession);

  useEffect(() => void first.then(setSession), [first]);
  useEffect(() => {
    // A second `benchtop open` may lead to a tab that is already here.
    const onHash = () => {
      const code = takeLoginCode();
      if (code) enter(code);
    };
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);

  switch (session.state) {
    case 'starting':
      return null;
    case 'unreachable':
      return <Unreached message={session.message} onRetry={() => enter()} />;
    case 'login':
      return <Login session={session} onIn={() => enter()} />;
    case 'in':
      return (
        <Inside
          session={session}
          onOut={() => setSession({ ...session, state: 'login', problem: t('The session has ended. Please sign in again.') })}
        />
      );
  }
}

function Inside({ session, onOut }: { session: Session & { state: 'in' }; onOut: () => void }) {
  const { boot, client } = session;
  const api: Api = useMemo(() => ({ boot, client, events: new EventStream(client, { tabs: boot.mode === 'browser' ? browserTabs() : undefined }) }), [boot, client]);
  const commands = useMemo(() => new Commands(), []);
  const cache = useMemo(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 30_000,
            refetchOnWindowFocus: false,
            // A machine without a network still reaches itself.
            networkMode: 'always',
            refetchOnReconnect: false,
            // A refusal stays a refusal; a platform that is starting again may answer soon.
            retry: (count, error) => error instanceof Unreachable && count < 3,
          },
        },
      }),
    [],
  );
  const out = useRef(onOut);
  useEffect(() => {
    out.current = onOut;
  });
  useEffect(() => {
    client.onUnauthorized = () => out.current();
    const stopFollowing = followEvents(api.events, cache);
    api.events.start();
    return () => {
      client.onUnauthorized = undefined;
      stopFollowing();
      api.events.stop();
    };
  }, [api, cache, client]);
  return (
    <QueryClientProvider client={cache}>
      <ApiProvider api={api}>
        <AnnouncerProvider>
          <CommandsProvider commands={commands}>
            <Router hook={useHashLocation}>
              <Guard>
                <Shell />
              </Guard>
            </Router>
          </CommandsProvider>
        </AnnouncerProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
}
