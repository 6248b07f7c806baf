// `npm run rotate-keys`: how far the wrapping keys are rotated. The Worker alone has the keys, so it does the work, some
// each minute, whenever VAULT_KEYS has a newer version (worker/platform/rotateKeys.ts); this only watches, until nothing
// stands under an older one. See docs/wrapping-keys.md.
//   -- --new-key   only adds a version to the local state's keys (the server is to be started anew)
//   -- --remote    looks at the deployed database instead of the local one
//   -- --once      says how things stand, and waits for nothing
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { run } from './toolchain.mjs'
import { addVaultKey } from './vault-keys.mjs'

const LOCK_LINKS_MS = 7 * 86_400_000

const READ = `
  SELECT 'documents' AS kind, key_version AS version, count(*) AS count FROM kyc_submissions
  WHERE wrapped_key IS NOT NULL GROUP BY 2
  UNION ALL
  SELECT 'second factors', CAST(secret_sealed AS INTEGER), count(*) FROM second_factors GROUP BY 2
  UNION ALL
  SELECT 'waiting mails', CAST(sealed AS INTEGER), count(*) FROM outbox
  WHERE sealed IS NOT NULL AND next_attempt_at IS NOT NULL GROUP BY 2`
const STANDING = `SELECT checkpoint, finding FROM self_checks WHERE name = 'wrappingKeys'`

/**
 * @typedef {{ kind: string, version: number, count: number }} Count what stands under a version
 * @typedef {{ newest: number, versions: number[], sinceMs: number }} Standing what the Worker last saw in VAULT_KEYS
 */

/**
 * How things stand in words, and how much is still to be sealed anew.
 *
 * @param {Standing | null} standing
 * @param {Count[]} counts
 * @param {string | null} finding what the Worker found wrong
 */
export function report(standing, counts, finding) {
  if (standing === null)
    return {
      left: null,
      text: 'The Worker has not looked at its keys yet: it does so within a minute of running.',
    }
  const older = counts.filter(({ version }) => version < standing.newest)
  const left = older.reduce((sum, { count }) => sum + count, 0)
  const lines = [
    `Version ${standing.newest} seals, since ${day(standing.sinceMs)}. VAULT_KEYS has ${standing.versions.join(', ')}.`,
    ...counts.map(({ kind, version, count }) => `  ${kind.padEnd(16)} version ${version}: ${count}`),
  ]
  if (finding !== null) lines.push(`Found wrong: ${finding}.`)
  const outdated = standing.versions.filter((version) => version < standing.newest)
  if (left > 0) lines.push(`${left} still to be sealed anew: keep every older version.`)
  else if (outdated.length > 0)
    lines.push(
      `Nothing stands under version ${outdated.join(' or ')} any more. Links in mails from before that day are signed under it:`,
      `those that lock an account work until ${day(standing.sinceMs + LOCK_LINKS_MS)}, those that leave a mailing list for as long as`,
      'the version stays. Take it out of VAULT_KEYS when both may end (docs/wrapping-keys.md says how long to wait).',
    )
  else
    lines.push(
      'The Worker knows of no older version: there is nothing to do. It looks at VAULT_KEYS each minute.',
    )
  return { left, text: lines.join('\n') }
}

/** @param {number} atMs */
function day(atMs) {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** @param {string[]} where @param {string} query @returns {Promise<Record<string, unknown>[]>} */
async function read(where, query) {
  const output = await run('wrangler', ['d1', 'execute', 'DB', ...where, '--json', '--command', query])
  const [{ results }] = JSON.parse(output.slice(output.indexOf('[')))
  return results
}

async function watch() {
  const { values: options } = parseArgs({
    options: {
      remote: { type: 'boolean' },
      once: { type: 'boolean' },
      'new-key': { type: 'boolean' },
    },
  })
  const state = resolve(process.env.STATE_DIR || '.state')
  if (options['new-key']) {
    if (options.remote)
      throw new Error(
        'A deployed VAULT_KEYS is changed by `npx wrangler secret put VAULT_KEYS`: see docs/wrapping-keys.md.',
      )
    const version = addVaultKey(state)
    console.log(
      `Version ${version} was added to ${state}/vault-keys. Start the server anew, then run this without --new-key.`,
    )
    return
  }
  const where = options.remote ? ['--remote'] : ['--local', '--persist-to', state]
  for (;;) {
    const [[row], counts] = [await read(where, STANDING), await read(where, READ)]
    const standing = row ? JSON.parse(String(row.checkpoint)) : null
    const finding = row?.finding ? String(row.finding) : null
    const { left, text } = report(standing, /** @type {Count[]} */ (counts), finding)
    console.log(text)
    if (left === 0 || options.once) return
    console.log('Looking again in 30 seconds. Ctrl-C ends the watching, not the work.\n')
    await wait(30_000)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  watch().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
