// `npm run backup -- <directory>`: backs up the local state (STATE_DIR), even while its server runs.
//   --remote              backs up the deployed database and bucket instead
//   --recipient age1…     encrypts to this age key; may be given several times. Default: BACKUP_RECIPIENTS
//   --unencrypted         does not encrypt. Refused without this or a recipient
//   --erased <file>       writes only the ids of all erased persons: small queries for every hour, which do not block the database
//   --record <digest>     only records a finished backup in the database, for `npm run launch-check`. A backup does so itself, unless
//                         its token may only read the database
// With --remote, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are a token that may read the bucket. --erased and --record need none.
// docs/deploying.md says when to back up and where to keep backups, docs/runbook.md how to restore them.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readErasures } from './backup/erased.ts'
import { openLocalPlace, openWranglerPlace } from './backup/place.ts'
import { parseRecipients, recordBackup, UNENCRYPTED, writeBackup } from './backup/write.ts'
import { getDatabaseOptions, queryDatabase } from './database.mjs'
import { root, runCommand, stateDirectory } from './toolchain.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remote: { type: 'boolean' },
    recipient: { type: 'string', multiple: true },
    unencrypted: { type: 'boolean' },
    erased: { type: 'string' },
    record: { type: 'string' },
  },
})

await runCommand(async () => {
  if (options.erased !== undefined) return listErased(resolve(options.erased))
  if (options.record !== undefined) return record(options.record)
  const recipients = parseRecipients(options, process.env.BACKUP_RECIPIENTS)
  const place = options.remote
    ? await openWranglerPlace({ where: '--remote', project: root, use: 'read' })
    : await openLocalPlace(stateDirectory)
  try {
    await runBackup(place, recipients)
  } finally {
    await place.close()
  }
})

/** @param {import('./backup/place.ts').Place} place @param {import('./backup/write.ts').Recipients} recipients */
async function runBackup(place, recipients) {
  const [directory] = positionals
  if (directory === undefined) throw new Error('Say where to: npm run backup -- <directory>')
  const { manifest, sha256 } = await writeBackup(place, resolve(directory), recipients)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`Backed up ${place.name} as of ${manifest.madeAt} to ${resolve(directory)}:
  ${rows} rows of ${manifest.tables.length} tables, ${manifest.files.length} files${recipients === UNENCRYPTED ? ', NOT encrypted' : ', encrypted'}
  ledger    ${manifest.ledgerHash}
  audit log ${manifest.auditHead ?? 'no block yet'}
  manifest  ${sha256}
Keep the last line in another place: \`npm run restore -- … --sha256\` takes it. The secrets are not in the backup.`)
  for (const key of manifest.missing)
    console.error(`Missing: the database names the file ${key}, which is not there.`)
  if (manifest.missing.length > 0) process.exitCode = 1
  try {
    await place.execute([recordBackup(sha256, new Date(manifest.madeAt))])
  } catch (error) {
    // Wrangler prints a page about a refusal, and its reason in one line.
    const message = String(error instanceof Error ? error.message : error)
    const reason = /^\s*(.+ \[code: \d+\])$/m.exec(message)?.[1] ?? message
    console.error(`The backup is complete, but the database does not record it: ${reason}
A token that may only read cannot record it. Run this where one may write:
  npm run backup -- --record ${sha256}${options.remote ? ' --remote' : ''}`)
  }
}

/** @param {string} sha256 */
async function record(sha256) {
  await queryDatabase(getDatabaseOptions(options.remote), [recordBackup(sha256, new Date())])
  console.log(`Recorded the backup with the manifest ${sha256}.`)
}

/** @param {string} file */
async function listErased(file) {
  const where = getDatabaseOptions(options.remote)
  const erased = await readErasures(async (sql) => (await queryDatabase(where, [sql]))[0] ?? [], new Date())
  writeFileSync(file, JSON.stringify(erased), { mode: 0o600 })
  console.log(
    `${erased.persons.length} persons erased, ${erased.closed.length} accounts closed, ${erased.documents.length} documents shredded: ${file}`,
  )
}
