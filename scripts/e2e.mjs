// `npm run test:e2e`: the browser tests, against a server of their own with data of its own. What follows the
// command goes to Playwright: `npm run test:e2e -- deposit`.
import { spawn } from 'node:child_process'
import { headlessChromium } from './chromium.mjs'
import { withOwnServer } from './own-server.mjs'
import { environment, program, root } from './toolchain.mjs'

try {
  const CHROMIUM_PATH = headlessChromium()
  process.exitCode = await withOwnServer((BASE_URL) => playwright({ BASE_URL, CHROMIUM_PATH }))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** @param {Record<string, string>} settings @returns {Promise<number>} */
async function playwright(settings) {
  const child = spawn(program('playwright'), ['test', ...process.argv.slice(2)], {
    cwd: root,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}
