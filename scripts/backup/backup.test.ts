import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { emptyDatabase, eraseLater, makeFixture } from '../../test/support/backup/fixture.ts'
import { memoryBucket } from '../../test/support/backup/memoryBucket.ts'
import { restoreOperatorSql } from '../operator.mjs'
import { root } from '../toolchain.mjs'
import { type Manifest, readFigures } from './manifest.ts'
import { listUnknownOperators, lockOperatorsOut, reportOn } from './operators.ts'
import { createSqlitePlace, type Place } from './place.ts'
import { checkBackup, openBackup, readErased } from './read.ts'
import { endRestore, restoreBackup } from './restore.ts'
import { createFreshDatabase, LEFT_OUT, readTables } from './tables.ts'
import { parseRecipients, recordBackup, UNENCRYPTED, writeBackup } from './write.ts'

// Writing and reading whole databases is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const scratch = mkdtempSync(join(tmpdir(), 'platform-backup-test-'))
const source = join(scratch, 'source.sqlite')
const files = memoryBucket()
const made = join(scratch, 'backup')
let manifest: Manifest
let sha256: string

beforeAll(async () => {
  await makeFixture(source, files)
  ;({ manifest, sha256 } = await writeBackup(placeAt(source, files), made, UNENCRYPTED, new Date(2026, 5, 1)))
})
afterAll(() => {
  for (const reader of readers.values()) reader.close()
  rmSync(scratch, { recursive: true, force: true })
})

function placeAt(path: string, bucket = memoryBucket()): Place & { readonly path: string } {
  return { ...createSqlitePlace(path, bucket, () => path), path, migrate: async () => undefined }
}

let count = 0
function emptyPlace() {
  const path = join(scratch, `empty-${count++}.sqlite`)
  emptyDatabase(path)
  const bucket = memoryBucket()
  return { ...placeAt(path, bucket), bucket }
}

/** One for each database, because each would read the schema anew. */
const readers = new Map<string, DatabaseSync>()

function rowsIn(path: string, query: string): Record<string, unknown>[] {
  const reader = readers.get(path) ?? new DatabaseSync(path, { readOnly: true })
  readers.set(path, reader)
  const read = reader.prepare(query)
  read.setReadBigInts(true)
  return read.all()
}

/** A copy of the backup with a manual change. */
function copied(change: (directory: string) => void): string {
  const directory = join(scratch, `copy-${count++}`)
  cpSync(made, directory, { recursive: true })
  change(directory)
  return directory
}

function rewritten(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  if (after === before) throw new Error('Nothing was changed.')
  writeFileSync(path, after)
}

describe('a backup restored into an empty place', () => {
  it('gives every table, balance, seal, trigger and file back', async () => {
    const place = emptyPlace()
    const { figures, notes } = await restoreBackup(place, await openBackup(made, [], sha256))
    expect(notes).toEqual([])
    expect(figures.ledgerHash).toBe(manifest.ledgerHash)
    for (const { name, key } of readTables(createFreshDatabase())) {
      const all = `SELECT * FROM ${name} ORDER BY ${key.join(', ')}`
      expect([name, rowsIn(place.path, all)]).toEqual([name, rowsIn(source, all)])
    }
    for (const query of [
      // Not in the backup: the transfers and movements write them anew.
      'SELECT * FROM balance_checkpoints ORDER BY owner, at, seq',
      'SELECT * FROM position_history ORDER BY investor, strategy, at, seq',
      "SELECT type, name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' ORDER BY name",
    ])
      expect(rowsIn(place.path, query)).toEqual(rowsIn(source, query))
    expect([...place.bucket.files.keys()].sort()).toEqual(manifest.files.map(({ key }) => key).sort())
    expect((await place.bucket.get('receipts/dep-1'))?.file.httpMetadata).toEqual({
      contentType: 'image/png',
    })
    // Shredded and erased files are not included.
    expect(manifest.files.some(({ key }) => key.includes('eve'))).toBe(false)
  })

  it('continues: the next transfer has the next number, and the rules apply again', async () => {
    const place = emptyPlace()
    await restoreBackup(place, await openBackup(made))
    const database = new DatabaseSync(place.path)
    const hold = `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
      VALUES ('x', 'ana:available', 'ana:held', 100, 'hold', 'wdr-3', 'ana', 1)`
    expect(() => database.exec(hold)).toThrow('transfers: no matching cause')
    expect(() => database.exec("UPDATE accounts SET balance = 1 WHERE id = 'ana:available'")).toThrow(
      'accounts: changed without a transfer',
    )
    expect(() => database.exec("UPDATE users SET role = 'operator' WHERE id = 'ana'")).toThrow('immutable')
    const numbers = "SELECT seq FROM sqlite_sequence WHERE name = 'transfers'"
    expect(rowsIn(place.path, numbers)).toEqual(rowsIn(source, numbers))
    database.close()
  })

  it('is refused if the place is not empty, and names the content', async () => {
    const place = emptyPlace()
    await restoreBackup(place, await openBackup(made))
    await endRestore(place)
    await expect(restoreBackup(place, await openBackup(made))).rejects.toThrow(
      /The place is not empty:[\s\S]*Table transfers has \d+ rows\.[\s\S]*The bucket has files\./,
    )
  })

  it('leaves out data that must not come back, and contains everything else', () => {
    const all = createFreshDatabase()
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
      .all()
      .map(({ name }) => String(name))
    expect([...manifest.tables.map(({ name }) => name), ...Object.keys(LEFT_OUT)].sort()).toEqual(all.sort())
    expect(rowsIn(source, 'SELECT id FROM sessions')).toHaveLength(1)
  })
})

describe('operators, after a restore', () => {
  const access = (path: string) =>
    rowsIn(
      path,
      "SELECT email, disabled_at IS NOT NULL AS out FROM users WHERE role = 'operator' AND id <> 'system' ORDER BY email",
    ).map(({ email, out }) => `${email} ${out === 1n ? 'shut out' : 'let in'}`)

  it('are all disabled except the named ones, and nothing acts for investors, because nobody knows what was changed since', async () => {
    const place = emptyPlace()
    const backup = await openBackup(made)
    await restoreBackup(place, backup)
    const database = new DatabaseSync(place.path)
    // An older backup with an open invitation.
    database.exec(`INSERT INTO operator_invitations (id, email, name, roles, created_at, token_hash, expires_at)
      VALUES ('inv', 'new@example.com', 'New', 'treasurer', 1000, 'h', 2000000)`)
    database.exec(`INSERT INTO plans (id, investor, kind, strategy, amount, rhythm, starts, day, zone, status_at, next_on, next_at,
        created_at, session_id, changed_at)
      SELECT 'p', id, 'invest', (SELECT slug FROM strategies), 100, 'weekly', '2026-01-01', 1, 'UTC', 1, '2026-01-08', 1, 1, 's', 1
      FROM users WHERE email = 'ana@example.com'`)
    const [rule] = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'position_stops_set'").all()
    database.exec(`DROP TRIGGER position_stops_set;
      INSERT INTO position_stops (id, investor, strategy, percent, created_at, changed_at) VALUES ('stop', 'ana', 'slow', 20, 1, 1);
      INSERT INTO read_keys (id, investor, kind, name, token_hash, networks, created_at, expires_at)
        VALUES ('key', 'ana', 'guest', 'Ben', '${'0'.repeat(64)}', '[]', 1, 2000000);
      ${rule?.sql}`)
    const who = await lockOperatorsOut(place, [], 5000)
    expect(rowsIn(place.path, 'SELECT status, reason FROM plans')).toEqual([
      { status: 'paused', reason: 'restored' },
    ])
    expect(rowsIn(place.path, 'SELECT status, ended_at FROM position_stops')).toEqual([
      { status: 'ended', ended_at: 5000n },
    ])
    expect(rowsIn(place.path, 'SELECT revoked_at FROM read_keys')).toEqual([{ revoked_at: 5000n }])
    // Dan's proceeds were to be withdrawn.
    expect(
      rowsIn(place.path, "SELECT onward, onward_at, withdrawal FROM unit_orders WHERE id = 'rdm-2'"),
    ).toEqual([{ onward: null, onward_at: 5000n, withdrawal: null }])
    expect(rowsIn(place.path, 'SELECT user_id, title FROM received_notifications ORDER BY user_id')).toEqual(
      ['ana', 'dan'].map((user_id) => ({ user_id, title: 'We restored a backup' })),
    )
    expect(access(place.path)).toEqual(['op1@example.com shut out', 'op2@example.com shut out'])
    expect(rowsIn(place.path, 'SELECT expires_at FROM operator_invitations')).toEqual([{ expires_at: 5000n }])
    expect(
      rowsIn(
        place.path,
        "SELECT actor, subject FROM audit_log WHERE action = 'operator.disabled' ORDER BY subject",
      ),
    ).toEqual([
      { actor: 'owner', subject: 'op1' },
      { actor: 'owner', subject: 'op2' },
    ])
    // The trigger that protects the last administrator is active again.
    expect((await readFigures(database)).schemaHash).toBe(manifest.schemaHash)
    const report = reportOn(who, manifest.madeAt)
    expect(report).toMatch(/^WHO OPERATES NOW\. Roles are those of 2026-06-01/)
    expect(report).toContain('  shut out  op1@example.com')
    expect(report).toContain('0 of the 2 administrators')
    expect(report).toContain('Reviewer keys that count again: op1@example.com')
    // The command that the report recommends for regaining access.
    database.exec(restoreOperatorSql({ email: 'op1@example.com' }))
    expect(access(place.path)).toEqual(['op1@example.com let in', 'op2@example.com shut out'])
    database.close()
  })

  it('named operators keep their access as in the backup, and must be in it', async () => {
    const place = emptyPlace()
    const backup = await openBackup(made)
    await restoreBackup(place, backup)
    const who = await lockOperatorsOut(place, ['op2@example.com'], 5000)
    expect(access(place.path)).toEqual(['op1@example.com shut out', 'op2@example.com let in'])
    expect(reportOn(who, manifest.madeAt)).toContain('  LET IN    op2@example.com')
    expect(
      await listUnknownOperators(backup, ['op1@example.com', 'ana@example.com', 'x@example.com']),
    ).toEqual(['ana@example.com', 'x@example.com'])
  })
})

describe('a backup that was tampered with', () => {
  const tampered: [what: string, change: (directory: string) => void, finding: RegExp][] = [
    [
      'an amount that was changed',
      (directory) =>
        rewritten(join(directory, 'tables/transfers.jsonl'), (text) => text.replace('900000', '900001')),
      /Row 1 of transfers was changed: .*900001/,
    ],
    [
      'a row that is missing',
      (directory) =>
        rewritten(join(directory, 'tables/audit_log.jsonl'), (text) =>
          text.split('\n').toSpliced(2, 1).join('\n'),
        ),
      /Row 3 of audit_log is missing\./,
    ],
    [
      'the last row that is missing',
      (directory) => rewritten(join(directory, 'tables/wallets.jsonl'), (text) => `${text.split('\n')[0]}\n`),
      /Table wallets has 1 rows, the manifest says 2/,
    ],
    [
      'a file that was changed',
      (directory) => writeFileSync(join(directory, 'files/0'), 'another'),
      /File kyc\/ana \(files\/0\) was changed\./,
    ],
    [
      'a file that is missing',
      (directory) => rmSync(join(directory, 'files/1')),
      /File kyc\/ben \(files\/1\) cannot be read/,
    ],
  ]
  it.each(tampered)('%s is named before anything is written', async (_what, change, finding) => {
    const place = emptyPlace()
    await expect(restoreBackup(place, await openBackup(copied(change)))).rejects.toThrow(finding)
    expect(rowsIn(place.path, 'SELECT id FROM users')).toEqual([{ id: 'system' }])
    expect(place.bucket.files.size).toBe(0)
  })

  it('even with matching sums and manifest it is refused by the ledger, and nothing stays', async () => {
    const directory = await forged("UPDATE transfers SET amount = 900001 WHERE id = 'dep-1:credit'")
    const place = emptyPlace()
    await expect(restoreBackup(place, await openBackup(directory))).rejects.toThrow(
      'transfers: no matching cause',
    )
    expect(rowsIn(place.path, 'SELECT id FROM users')).toEqual([{ id: 'system' }])
    await expect(openBackup(directory, [], sha256)).rejects.toThrow('not the one that was written')
  })

  it('a changed balance is found after the replay of the transfers', async () => {
    const directory = await forged("UPDATE accounts SET balance = 99 WHERE id = 'ana:available'")
    await expect(restoreBackup(emptyPlace(), await openBackup(directory))).rejects.toThrow(
      /Table accounts has as many rows as the backup, but not the same\.[\s\S]*The hash of the ledger differs/,
    )
  })
})

/** A backup with a valid manifest, of a database that was changed without its triggers. */
async function forged(change: string): Promise<string> {
  const path = join(scratch, `forged-${count++}.sqlite`)
  const database = new DatabaseSync(source)
  database.exec(`VACUUM INTO '${path}'`)
  database.close()
  const copy = new DatabaseSync(path)
  copy.exec('PRAGMA synchronous = OFF')
  const triggers = copy.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
  for (const { name } of triggers) copy.exec(`DROP TRIGGER ${name}`)
  copy.exec(change)
  for (const { sql } of triggers) copy.exec(String(sql))
  copy.close()
  const directory = join(scratch, `forged-${count++}`)
  await writeBackup(placeAt(path, files), directory, UNENCRYPTED)
  return directory
}

describe('an encrypted backup', () => {
  it('opens with its key alone, and shows no row and no name of a file', async () => {
    const identity = await generateX25519Identity()
    const directory = join(scratch, 'encrypted')
    await writeBackup(placeAt(source, files), directory, [await identityToRecipient(identity)])
    const written = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile())
    expect(written.length).toBeGreaterThan(30)
    for (const path of written)
      expect(readFileSync(path, 'latin1').startsWith('age-encryption.org/v1')).toBe(true)
    await expect(openBackup(directory)).rejects.toThrow('--identity')
    await expect(openBackup(directory, [await generateX25519Identity()])).rejects.toThrow()
    const place = emptyPlace()
    const { figures } = await restoreBackup(place, await openBackup(directory, [identity]))
    expect(figures.ledgerHash).toBe(manifest.ledgerHash)
  })
})

describe('to whom a backup is encrypted', () => {
  it('recipients come from the command or BACKUP_RECIPIENTS; without them plain text must be requested by name', async () => {
    const [ana, ben] = await Promise.all(
      [1, 2].map(async () => identityToRecipient(await generateX25519Identity())),
    )
    const [a, b] = [ana ?? '', ben ?? '']
    expect(parseRecipients({ recipient: [a, b] })).toEqual([a, b])
    expect(parseRecipients({}, ` ${a}, ${b}\n`)).toEqual([a, b])
    expect(parseRecipients({ recipient: [b] }, a)).toEqual([b])
    expect(parseRecipients({ unencrypted: true }, a)).toBe(UNENCRYPTED)
    for (const configured of ['', '  ', ','])
      expect(() => parseRecipients({}, configured)).toThrow('--unencrypted')
    expect(() => parseRecipients({ recipient: [a], unencrypted: true })).toThrow('Choose one')
    const secret = await generateX25519Identity()
    for (const wrong of [secret, 'age1', `${a}x`, 'yes'])
      expect(() => parseRecipients({ recipient: [wrong] })).toThrow(/^A recipient is no public key of age/)
    await expect(writeBackup(placeAt(source, files), join(scratch, 'nobody'), [])).rejects.toThrow(
      'recipient',
    )
  })

  it('the command asks for a recipient and writes nothing without one', () => {
    const directory = join(scratch, 'by-command')
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(root, 'scripts/backup.mjs'), directory],
      {
        encoding: 'utf8',
        env: { ...process.env, BACKUP_RECIPIENTS: '', STATE_DIR: join(scratch, 'no-state') },
      },
    )
    expect([status, stderr]).toEqual([1, expect.stringContaining('--unencrypted')])
    expect([existsSync(directory), existsSync(`${directory}.partial`)]).toEqual([false, false])
  })
})

describe('a person who was erased after the backup', () => {
  it('does not come back from it, nor does a document that was shredded', async () => {
    const later = join(scratch, 'later.sqlite')
    const database = new DatabaseSync(source)
    database.exec(`VACUUM INTO '${later}'`)
    database.close()
    eraseLater(later, 'cal')
    const newer = join(scratch, 'newer')
    await writeBackup(placeAt(later, files), newer, UNENCRYPTED)
    const place = emptyPlace()
    const { notes } = await restoreBackup(place, await openBackup(made), { erased: await readErased(newer) })
    expect(notes).toEqual([])
    const everything = readTables(createFreshDatabase())
      .map(({ name }) => JSON.stringify(rowsIn(place.path, `SELECT * FROM ${name}`), written))
      .join('\n')
    expect(everything).toContain('cal@erased.invalid')
    for (const trace of ['cal@example.com', "cal o'neil", 'bc1-cal', 'hash-cal', 'tx-dep-cal'])
      expect(everything).not.toContain(trace)
    expect([...place.bucket.files.keys()].filter((key) => key.includes('cal'))).toEqual([])
    expect(
      rowsIn(
        place.path,
        "SELECT wrapped_key, file_deleted_at > 0 AS gone FROM kyc_submissions WHERE id = 'kyc-cal'",
      ),
    ).toEqual([{ wrapped_key: null, gone: 1n }])
    // The ledger of the closed account is unchanged.
    const books = "SELECT * FROM transfers WHERE from_account GLOB 'cal:*' ORDER BY seq"
    expect(rowsIn(place.path, books)).toEqual(rowsIn(source, books))
  })

  it('is named if the backup still has their money', async () => {
    const erased = {
      madeAt: '',
      persons: [{ id: 'ana', atMs: 5 }],
      closed: [{ id: 'ben', atMs: 5 }],
      documents: [],
    }
    const { notes } = await restoreBackup(emptyPlace(), await openBackup(made), { erased })
    expect(notes).toEqual([
      expect.stringMatching(/^The books of ana, .* hold \d+ cents in this backup/),
      expect.stringContaining('The books of ben'),
    ])
  })
})

function written(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

describe('the place of a backup', () => {
  it('is never one that holds something', async () => {
    await expect(writeBackup(placeAt(source, files), made, UNENCRYPTED)).rejects.toThrow('is not empty')
  })

  it('says which files the database names and the bucket lacks', async () => {
    const lacking = memoryBucket()
    const { manifest: found } = await writeBackup(
      placeAt(source, lacking),
      join(scratch, 'lacking'),
      UNENCRYPTED,
    )
    expect(found.missing).toEqual(manifest.files.map(({ key }) => key))
  })

  it('is only read: a backup is recorded by a statement of its own', async () => {
    const place = placeAt(source, files)
    const readOnly: Place = { ...place, execute: () => Promise.reject(new Error('The token may only read.')) }
    const { sha256 } = await writeBackup(readOnly, join(scratch, 'read-only'), UNENCRYPTED)
    const query = "SELECT checkpoint, ok FROM self_checks WHERE name = 'backup'"
    expect(rowsIn(source, query)).toEqual([])
    await place.execute([recordBackup(sha256, new Date())])
    expect(rowsIn(source, query)).toEqual([{ checkpoint: sha256, ok: 1n }])
    expect(() => recordBackup(`${sha256}'`, new Date())).toThrow('64 hexadecimal digits')
  })

  it('finds a whole backup whole', async () => {
    expect(await checkBackup(await openBackup(made))).toEqual([])
  })
})
