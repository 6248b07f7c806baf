import { defineConfig } from '@playwright/test'

const asRoot = process.getuid?.() === 0
const BUSY_DAY = 'dayOfWork.spec.ts'

// Started by test/commands/e2e.mjs, which names the server and the browser.
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './test/e2e/globalSetup.ts',
  forbidOnly: true,
  // Tests often wait: two leave a machine of two cores idle for almost half of the time, three for a quarter.
  workers: 4,
  // A busy machine may miss a deadline once. What fails twice has failed, and a second try is named in the report.
  retries: process.env.CI ? 1 : 0,
  // A test that hangs ends; a busy machine fails none.
  timeout: 120_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  // The two longest tests, on a server of their own. Playwright would begin them last, and leave the other workers idle for a minute.
  projects: [
    { name: 'busy day', testMatch: BUSY_DAY },
    { name: 'pages', testIgnore: BUSY_DAY },
  ],
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : 'list',
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:8787',
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    screenshot: 'only-on-failure',
    // Pages change at once, so that no test meets one in between.
    contextOptions: { reducedMotion: 'reduce' },
    // Tests that delay or count requests need all of them to pass Playwright. `offline.spec.ts` allows service workers.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        ...(asRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
