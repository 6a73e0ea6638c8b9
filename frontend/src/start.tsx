import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { fetchParts } from './app/parts';
import { parsePlace } from './app/screens';
import type { Session } from './app/session';
import { detectNative, NativeProvider } from './native/NativeContext';
import { titleCutTexts } from './ui/cutText';
import { refuseStrayDrops } from './ui/dropped';
import { whenIdle } from './ui/idle';

/** Puts the page into the document; session is what the platform says of who looks at it. */
export function start(session: Promise<Session>): void {
  titleCutTexts(document.body);
  refuseStrayDrops(window);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <NativeProvider native={detectNative()}>
        <App session={session} />
      </NativeProvider>
    </StrictMode>,
  );
  requestAnimationFrame(() => setTimeout(afterFirstPicture));
}

/** Fetches what comes next, when it does not hold back what is seen first. */
function afterFirstPicture(): void {
  const screen = parsePlace(location.hash.slice(1))?.screen;
  screen?.component.preload?.();
  // The editor is large: who is not on the way to it finds it there when they are.
  if (screen?.id === 'functions') fetchParts('functions');
  else whenIdle(() => fetchParts('functions', 'later'));
}
