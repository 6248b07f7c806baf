import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/ports.mjs'
import { environment, getProgramPath, root, testDataDirectory } from '../../scripts/toolchain.mjs'

/**
 * Runs `work` with a server as `npm start` starts it, with its own temporary data.
 *
 * @template Result
 * @param {(address: string) => Promise<Result>} work
 * @param {Record<string, string>} [settings] of `npm start`
 * @param {readonly string[]} [parameters] of `npm start`
 */
export async function withOwnServer(work, settings = {}, parameters = []) {
  const port = await findFreePort()
  const stateDirectory = mkdtempSync(join(testDataDirectory(), 'platform-own-'))
  const server = spawn(getProgramPath('node'), [join(root, 'scripts/start.mjs'), ...parameters], {
    cwd: root,
    env: { ...environment, ...settings, PORT: String(port), STATE_DIR: stateDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => server.kill('SIGTERM')
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'exit'])) process.once(name, end)
  try {
    await isReady(server)
    return await work(`http://localhost:${port}`)
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
    server.once('exit', () => failed(new Error(`The server did not start.\n${output}`)))
  })
}
