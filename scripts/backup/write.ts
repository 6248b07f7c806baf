import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Encrypter } from 'age-encryption'
import { root } from '../toolchain.mjs'
import { hashSha256 } from './bucket.ts'
import { ERASED_FILE, readErasures } from './erased.ts'
import { type Manifest, readFigures, type StoredFile } from './manifest.ts'
import { listNames, type Place, withSnapshot } from './place.ts'
import type { Table } from './replay.ts'
import { computeChecksum, readRows, toSqlLiteral } from './rows.ts'
import { type Folder, openFolder } from './sealed.ts'
import { readTables } from './tables.ts'

export const UNENCRYPTED = 'unencrypted'
export type Recipients = readonly string[] | typeof UNENCRYPTED

/**
 * The recipients of the command, or else of `BACKUP_RECIPIENTS`, separated by spaces or commas. Throws if there are none, unless
 * `--unencrypted` is given.
 */
export function parseRecipients(
  { recipient = [], unencrypted = false }: { recipient?: readonly string[]; unencrypted?: boolean },
  configured = '',
): Recipients {
  const named = recipient.length > 0 ? recipient : configured.split(/[\s,]+/).filter((key) => key !== '')
  if (unencrypted && recipient.length > 0)
    throw new Error('Choose one: --recipient encrypts the backup, --unencrypted does not.')
  if (unencrypted) return UNENCRYPTED
  const encrypter = new Encrypter()
  try {
    for (const key of named) encrypter.addRecipient(key)
  } catch {
    // The message does not repeat the text, which may be a private key.
    throw new Error('A recipient is no public key of age (age1…).')
  }
  if (named.length > 0) return named
  throw new Error(
    'Name the key that the backup is encrypted to: --recipient age1… or BACKUP_RECIPIENTS. For one that anybody who has the files can read: --unencrypted.',
  )
}

/**
 * Writes a backup into a new or empty directory: a snapshot of the database, then the files that it refers to, encrypted unless
 * plain text was requested. An interrupted backup leaves no directory of that name.
 *
 * @returns the manifest and its digest, which should be kept elsewhere
 */
export async function writeBackup(place: Place, directory: string, recipients: Recipients, now = new Date()) {
  if (recipients !== UNENCRYPTED && recipients.length === 0) throw new Error('A backup needs a recipient.')
  if (listNames(directory).length > 0) throw new Error(`${directory} is not empty.`)
  const partial = `${directory}.partial`
  rmSync(partial, { recursive: true, force: true })
  for (const part of ['tables', 'files']) mkdirSync(`${partial}/${part}`, { recursive: true, mode: 0o700 })
  const folder = openFolder(partial, recipients === UNENCRYPTED ? {} : { recipients })
  const written = await withSnapshot(place, async (database) => {
    for (const table of readTables(database))
      await folder.write(`tables/${table.name}.jsonl`, serializeRows(database, table))
    const { files, missing } = await writeFiles(place, folder, readFileKeys(database))
    const manifest: Manifest = {
      format: 1,
      madeAt: now.toISOString(),
      version: readVersion(),
      ...(await readFigures(database)),
      files,
      missing,
    }
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    const erased = await readErasures(async (sql) => database.prepare(sql).all(), now)
    await folder.write(ERASED_FILE, [JSON.stringify(erased)])
    await folder.write('manifest.json', [text])
    return { manifest, sha256: hashSha256(Buffer.from(text)) }
  })
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(dirname(directory), { recursive: true })
  renameSync(partial, directory)
  return written
}

function* serializeRows(database: DatabaseSync, table: Table): Generator<string> {
  let index = 0
  for (const json of readRows(database, table))
    yield `["${computeChecksum(table.name, index++, json)}",${json}]\n`
}

/** The keys of the files that can still be requested. Shredded documents and erased persons have none. */
function readFileKeys(database: DatabaseSync): string[] {
  return database
    .prepare(
      `SELECT d.receipt_key AS key FROM deposit_details d JOIN requests r ON r.id = d.request JOIN users u ON u.id = r.investor
       WHERE u.erased_at IS NULL
       UNION SELECT file_key FROM kyc_submissions WHERE shredded_at IS NULL
       ORDER BY 1`,
    )
    .all()
    .map(({ key }) => String(key))
}

async function writeFiles(place: Place, folder: Folder, keys: readonly string[]) {
  const files: StoredFile[] = []
  const missing: string[] = []
  for (const key of keys) {
    const found = await place.files.get(key)
    if (found === null) missing.push(key)
    else {
      await folder.write(`files/${files.length}`, [found.bytes])
      files.push(found.file)
    }
  }
  return { files, missing }
}

/** The statement that records a backup in the database, for `npm run launch-check` and the operators. */
export function recordBackup(sha256: string, now: Date): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('The digest of a manifest is 64 hexadecimal digits.')
  const values = ['backup', sha256, 1, null, now.getTime()].map(toSqlLiteral).join(', ')
  return `INSERT INTO self_checks (name, checkpoint, ok, finding, at) VALUES (${values})
    ON CONFLICT (name) DO UPDATE SET checkpoint = excluded.checkpoint, ok = 1, finding = NULL, at = excluded.at`
}

function readVersion(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}
