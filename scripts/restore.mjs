// `npm run restore -- <directory>`: restores a backup into an empty local state (STATE_DIR) whose server does not run.
//   --remote               restores into the empty database and bucket that wrangler.toml names
//   --identity <file>      an age key that opens an encrypted backup, as age-keygen wrote it
//   --sha256 <digest>      refuses a manifest with another digest than the one that `npm run backup` printed
//   --erased-after <path>  a newer backup, or the file of `npm run backup -- --erased`: repeats the erasures since the backup
//   --let-in <email>       keeps this operator's access; may be given several times. All others are disabled, because a backup
//                          does not know whose access was removed later
//   --check                only checks the backup's integrity
// With --remote, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are a token that may read and write the bucket.
import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listUnknownOperators, lockOperatorsOut, reportOn } from './backup/operators.ts'
import { openLocalPlace, openWranglerPlace } from './backup/place.ts'
import { checkBackup, openBackup, readErased } from './backup/read.ts'
import { endRestore, RestoreFailed, restoreBackup } from './backup/restore.ts'
import { root, runCommand, stateDirectory } from './toolchain.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remote: { type: 'boolean' },
    identity: { type: 'string', multiple: true },
    sha256: { type: 'string' },
    'erased-after': { type: 'string' },
    'let-in': { type: 'string', multiple: true },
    check: { type: 'boolean' },
  },
})

await runCommand(restore)

async function restore() {
  const [directory] = positionals
  if (directory === undefined) throw new Error('Say from where: npm run restore -- <directory>')
  const identities = (options.identity ?? []).flatMap(readIdentities)
  const backup = await openBackup(resolve(directory), identities, options.sha256)
  if (options.check) {
    const findings = await checkBackup(backup)
    if (findings.length > 0) throw new RestoreFailed('This backup is not as it was written:', findings)
    console.log(`The backup of ${backup.manifest.madeAt} is as it was written.`)
    return
  }
  const erasedAfter = options['erased-after']
  const erased = erasedAfter === undefined ? undefined : await readErased(resolve(erasedAfter), identities)
  const letIn = (options['let-in'] ?? []).map((email) => email.trim().toLowerCase())
  const unknown = await listUnknownOperators(backup, letIn)
  if (unknown.length > 0) throw new Error(`No operator of this backup has the address ${unknown.join(', ')}.`)
  const place = await openPlace()
  try {
    const { figures, notes } = await restoreBackup(place, backup, { erased })
    const whoOperates = await lockOperatorsOut(place, letIn)
    await endRestore(place)
    console.log(`Restored ${place.name} to ${backup.manifest.madeAt}. The same as in the backup:
  ledger    ${figures.ledgerHash}
  audit log ${figures.auditHead ?? 'no block yet'}
Nobody is signed in. Give the Worker the VAULT_KEYS of that time before it starts: docs/runbook.md.`)
    for (const note of notes) console.error(note)
    if (erased === undefined)
      console.error(
        'Without --erased-after, whoever was erased after the backup is back until the retention erases them anew.',
      )
    console.log(`\n${reportOn(whoOperates, backup.manifest.madeAt)}`)
  } finally {
    await place.close()
  }
}

function openPlace() {
  if (options.remote) return openWranglerPlace({ where: '--remote', project: root, use: 'write' })
  mkdirSync(stateDirectory, { recursive: true })
  return openLocalPlace(stateDirectory)
}

/** The keys in a file as age-keygen writes it. @param {string} path */
function readIdentities(path) {
  const found = readFileSync(path, 'utf8').match(/^AGE-SECRET-KEY-\S+$/gm)
  if (!found) throw new Error(`${path} holds no key of age.`)
  return found
}
