// `npm run rotate-keys`: shows the progress of a key rotation until no secret is sealed with an older key. Only the Worker has the
// keys, so it rotates them every minute while VAULT_KEYS has a newer version (worker/platform/rotateKeys.ts). See
// docs/wrapping-keys.md.
//   -- --new-key   only adds a version to the local state's keys; restart the server afterwards
//   -- --remote    reads the deployed database instead of the local one
//   -- --once      prints the progress once

import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DAY_MS } from '../src/time.ts'
import { getDatabaseOptions, queryDatabase } from './database.mjs'
import { isMain, runCommand, stateDirectory } from './toolchain.mjs'
import { addVaultKey } from './vault-keys.mjs'

const LOCK_LINKS_MS = 7 * DAY_MS

const COUNTS = `
  SELECT 'documents' AS kind, key_version AS version, count(*) AS count FROM kyc_submissions
  WHERE wrapped_key IS NOT NULL GROUP BY 2
  UNION ALL
  SELECT 'second factors', CAST(secret_sealed AS INTEGER), count(*) FROM second_factors GROUP BY 2
  UNION ALL
  SELECT 'waiting mails', CAST(sealed AS INTEGER), count(*) FROM outbox
  WHERE sealed IS NOT NULL AND next_attempt_at IS NOT NULL GROUP BY 2`
const KEYS = `SELECT checkpoint, finding FROM self_checks WHERE name = 'wrappingKeys'`

/**
 * @typedef {{ kind: string, version: number, count: number }} Count how many are sealed with a version
 * @typedef {{ newest: number, versions: number[], sinceMs: number }} KnownKeys the content of VAULT_KEYS when the Worker last ran
 */

/**
 * The progress as text, and how many secrets are still to be sealed again: null until the Worker has run.
 *
 * @param {KnownKeys | null} keys
 * @param {Count[]} counts
 * @param {string | null} finding a problem that the Worker found
 */
export function report(keys, counts, finding) {
  if (keys === null)
    return {
      left: null,
      text: 'The Worker has not looked at its keys yet: it does so within a minute of running.',
    }
  const older = counts.filter(({ version }) => version < keys.newest)
  const left = older.reduce((sum, { count }) => sum + count, 0)
  const lines = [
    `Version ${keys.newest} seals, since ${formatMoment(keys.sinceMs)}. VAULT_KEYS has ${keys.versions.join(', ')}.`,
    ...counts.map(({ kind, version, count }) => `  ${kind.padEnd(16)} version ${version}: ${count}`),
  ]
  if (finding !== null) lines.push(`Found wrong: ${finding}.`)
  const outdated = keys.versions.filter((version) => version < keys.newest)
  if (left > 0) lines.push(`${left} still to be sealed anew: keep every older version.`)
  else if (outdated.length > 0)
    lines.push(
      `Nothing stands under version ${outdated.join(' or ')} any more. Links in mails from before that day are signed under it:`,
      `those that lock an account work until ${formatMoment(keys.sinceMs + LOCK_LINKS_MS)}, those that leave a mailing list for as long as`,
      'the version stays. Take it out of VAULT_KEYS when both may end (docs/wrapping-keys.md says how long to wait).',
    )
  else
    lines.push(
      'The Worker knows of no older version: there is nothing to do. It looks at VAULT_KEYS each minute.',
    )
  return { left, text: lines.join('\n') }
}

/** @param {number} atMs */
function formatMoment(atMs) {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

async function watch() {
  const { values: options } = parseArgs({
    options: {
      remote: { type: 'boolean' },
      once: { type: 'boolean' },
      'new-key': { type: 'boolean' },
    },
  })
  if (options['new-key']) {
    if (options.remote)
      throw new Error(
        'A deployed VAULT_KEYS is changed by `npm run cloudflare -- secret put VAULT_KEYS`: see docs/wrapping-keys.md.',
      )
    const version = addVaultKey(stateDirectory)
    console.log(
      `Version ${version} was added to ${stateDirectory}/vault-keys. Start the server anew, then run this without --new-key.`,
    )
    return
  }
  const where = getDatabaseOptions(options.remote)
  for (;;) {
    const [[row] = [], counts] = await queryDatabase(where, [KEYS, COUNTS])
    const keys = row ? JSON.parse(String(row.checkpoint)) : null
    const finding = row?.finding ? String(row.finding) : null
    const { left, text } = report(keys, /** @type {Count[]} */ (counts), finding)
    console.log(text)
    if (left === 0 || options.once) return
    console.log('Looking again in 30 seconds. Ctrl-C ends the watching, not the work.\n')
    await wait(30_000)
  }
}

if (isMain(import.meta.url)) await runCommand(watch)
