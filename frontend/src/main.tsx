import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './ui/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { detectNative, NativeProvider } from './native/NativeContext';
import { titleCutTexts } from './ui/cutText';

titleCutTexts(document.body);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <NativeProvider native={detectNative()}>
      <App />
    </NativeProvider>
  </StrictMode>,
);
