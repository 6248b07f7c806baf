// `npm run test:e2e`: runs the browser tests against their own server and data. Passes further parameters to Playwright:
// `npm run test:e2e -- deposit`.

import { runCommand, start, waitForExit } from '../../scripts/toolchain.mjs'
import { headlessChromium } from './chromium.mjs'
import { withOwnServer } from './own-server.mjs'

await runCommand(async () => {
  const CHROMIUM_PATH = headlessChromium()
  process.exitCode = await withOwnServer((BASE_URL) =>
    waitForExit(start('playwright', ['test', ...process.argv.slice(2)], { BASE_URL, CHROMIUM_PATH })),
  )
})
