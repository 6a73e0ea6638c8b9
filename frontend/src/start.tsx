import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { detectNative, NativeProvider } from './native/NativeContext';
import { titleCutTexts } from './ui/cutText';

/** Puts the page into the document. */
export function start(): void {
  titleCutTexts(document.body);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <NativeProvider native={detectNative()}>
        <App />
      </NativeProvider>
    </StrictMode>,
  );
}
