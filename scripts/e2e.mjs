// `npm run test:e2e`: the browser tests, against a server of their own with data of its own. What follows the
// command goes to Playwright: `npm run test:e2e -- deposit`.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from './chromium.mjs'
import { freePort } from './ports.mjs'
import { environment, program, root } from './toolchain.mjs'

try {
  process.exitCode = await runBrowserTests()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function runBrowserTests() {
  const browser = chromium()
  const port = await freePort()
  const stateDirectory = mkdtempSync(join(tmpdir(), 'evenkeel-e2e-'))
  const server = spawn(program('node'), [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { ...environment, PORT: String(port), STATE_DIR: stateDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => server.kill('SIGTERM')
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'exit'])) process.once(name, end)
  try {
    await isReady(server)
    return await playwright({ BASE_URL: `http://localhost:${port}`, CHROMIUM_PATH: browser })
  } finally {
    const ended = server.exitCode === null && new Promise((resolve) => server.once('exit', resolve))
    end()
    await ended
    rmSync(stateDirectory, { recursive: true, force: true })
  }
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} server */
async function isReady(server) {
  let output = ''
  await new Promise((ready, failed) => {
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('is ready')) ready(undefined)
    })
    server.once('exit', () => failed(new Error(`The server for the browser tests did not start.\n${output}`)))
  })
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
