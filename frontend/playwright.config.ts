import { defineConfig } from '@playwright/test';

// Without the last two, each test would begin with a browser that loads two pages
// of its own for its address bar, which nobody sees. The last of such lists
// counts, so this one begins with what Playwright turns off.
const off = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

// Every test starts its own platform (fixtures.ts), so nothing is shared but the
// browser program: Debian's, since a machine that builds Go and C is no place to
// download another one.
const launchOptions = {
  executablePath: process.env.BENCHTOP_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--metrics-recording-only',
    `--disable-features=${off.join(',')}`,
  ],
};

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Two at a time end sooner, but on two cores they starve each other's platforms.
  workers: 1,
  // Generous, because a machine may be slow and busy: they end what hangs and say
  // nothing about speed.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    launchOptions,
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    permissions: ['clipboard-read', 'clipboard-write'],
    // Recording one slows every test, and nobody opens it on a machine that is gone.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
  },
  projects: [
    { name: 'e2e', testMatch: '*.spec.ts' },
    { name: 'screenshots', testMatch: 'screenshots.ts' },
    { name: 'bench', testDir: 'bench', testMatch: '*.bench.ts' },
  ],
});
