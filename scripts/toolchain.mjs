import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The path of a program that the packages bring, among them the Node that all of them run on. @param {string} name */
export const program = (name) => join(root, 'node_modules/.bin', name)

/** The surroundings of every tool: the project's own Node first, quiet, and nothing asked of or told to the network. */
export const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }),
  ASTRO_TELEMETRY_DISABLED: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
}

/**
 * Runs one of the programs to its end, silently: what it printed is only shown, in the error, when it fails.
 *
 * @param {string} name
 * @param {string[]} parameters
 * @param {Record<string, string>} [settings] added to its environment
 */
export async function runSilently(name, parameters, settings = {}) {
  await run(name, parameters, settings)
}

/**
 * Runs one of the programs to its end and gives what it printed for programs to read.
 *
 * @param {string} name
 * @param {string[]} parameters
 * @param {Record<string, string>} [settings] added to its environment
 */
export async function run(name, parameters, settings = {}) {
  const child = spawn(program(name), parameters, {
    cwd: root,
    env: { ...environment, CI: '1', FORCE_COLOR: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      if (stream === child.stdout) printed += chunk
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${output}\n${name} ${parameters[0]} failed, see above.`)
  return printed
}
