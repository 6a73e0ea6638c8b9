import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { limitInitialScript } from './initialScript.ts';
import { namedFeaturesOnly } from './monacoFeatures.ts';
import { preloadStart } from './preloadStart.ts';

// The page is served from memory by the platform, in a window or to a browser:
// every address in it is relative to the page's own.
// The platform of `make dev`. It answers its own origin only, so the page that
// Vite serves speaks to it in that name.
const platform = 'http://127.0.0.1:4780';
const beside = { target: platform, changeOrigin: true, headers: { origin: platform } };

export default defineConfig({
  base: './',
  plugins: [react(), namedFeaturesOnly(), preloadStart(), limitInitialScript(450_000)],
  build: {
    target: 'safari16',
    // The editor and its language services are one big part each by nature.
    chunkSizeWarningLimit: 8000,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the page begins with comes in two files, not in twenty that wait for
    // each other: the entry, which asks the platform and finds the language, and the rest.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'entry', test: /[\\/]src[\\/]main\.tsx$/, priority: 2 },
            { name: 'start', test: /[\\/]src[\\/]start\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  optimizeDeps: { rolldownOptions: { plugins: [namedFeaturesOnly()] } },
  server: {
    // npm run dev beside a running `benchtop serve`.
    proxy: Object.fromEntries(['/api', '/boot.json'].map((path) => [path, beside])),
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', '*.test.ts'],
    restoreMocks: true,
  },
});
