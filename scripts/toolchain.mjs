import { spawn } from 'node:child_process'
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const stateDirectory = resolve(process.env.STATE_DIR || '.state')

/** The folder for test databases: in memory if 2 GB are free there, because each SQLite commit waits for the disk otherwise. */
export function testDataDirectory() {
  const memory = '/dev/shm'
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize > 2 ** 31) return memory
  } catch {
    // Not Linux.
  }
  return tmpdir()
}

/** The path of a package's executable, such as the project's own Node. @param {string} name */
export const getProgramPath = (name) => join(root, 'node_modules/.bin', name)

/** The environment of every tool: the project's Node first in PATH, no banners, no telemetry. */
export const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }),
  ASTRO_TELEMETRY_DISABLED: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Empty means the top of wrangler.toml. Without it, wrangler warns that there is an environment too.
  CLOUDFLARE_ENV: process.env.CLOUDFLARE_ENV ?? '',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
}

/**
 * Starts a program that writes to this terminal.
 *
 * @param {string} name
 * @param {string[]} parameters
 * @param {Record<string, string>} [settings] added to its environment
 */
export function start(name, parameters, settings = {}) {
  return spawn(getProgramPath(name), parameters, {
    cwd: root,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/**
 * Waits for a started program.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code
 */
export async function waitForExit(child) {
  return await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

/**
 * Runs a program without showing its output, and returns its standard output. If it fails, the error contains all output. Warnings of
 * wrangler are shown, because some of them say that a deploy opened a door.
 *
 * @param {string} name
 * @param {string[]} parameters
 * @param {Record<string, string>} [settings] added to its environment
 */
export async function run(name, parameters, settings = {}) {
  const child = spawn(getProgramPath(name), parameters, {
    cwd: root,
    env: { ...environment, CI: '1', FORCE_COLOR: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let warnings = ''
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      if (stream === child.stdout) printed += chunk
      else warnings += chunk
    })
  }
  if ((await waitForExit(child)) !== 0)
    throw new Error(`${output}\n${describeAdvice(output)}${name} ${parameters[0]} failed, see above.`)
  if (name === 'wrangler' && warnings.trim() !== '') console.error(warnings.trimEnd())
  return printed
}

/** What to do about a failure of wrangler that its own message explains badly. @param {string} output */
function describeAdvice(output) {
  if (/More than one account available/.test(output)) return `${MORE_ACCOUNTS}\n`
  return ''
}

export const MORE_ACCOUNTS =
  'You may use more than one Cloudflare account. Name the right one in wrangler.toml: account_id = "…" (npm run cloudflare -- whoami lists them).'

/** Runs a command. A failure prints its message and sets exit code 1. @param {() => Promise<void>} work */
export async function runCommand(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Whether Node was started with this module. @param {string} url its `import.meta.url` */
export function isMain(url) {
  return url === pathToFileURL(process.argv[1] ?? '').href
}
