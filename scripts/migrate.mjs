import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Brings the local database of this state up to the newest migration, with the tool that does it in production.
 *
 * @param {string} stateDirectory
 */
export async function migrate(stateDirectory) {
  const wrangler = spawn(
    join(root, 'node_modules/.bin/wrangler'),
    ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', stateDirectory],
    {
      cwd: root,
      env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [wrangler.stdout, wrangler.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise((resolve) => wrangler.once('close', resolve))
  if (code !== 0) throw new Error(`The database could not be migrated.\n${output}`)
}
