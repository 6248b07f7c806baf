import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { emptyDatabase, makeFixture } from '../../test/support/backup/fixture.ts'
import { memoryBucket } from '../../test/support/backup/memoryBucket.ts'
import type { Bucket } from './bucket.ts'
import { type Manifest, readFigures } from './manifest.ts'
import { lockOperatorsOut } from './operators.ts'
import { createSqlitePlace, type Place } from './place.ts'
import { type Backup, openBackup } from './read.ts'
import { endRestore, restoreBackup } from './restore.ts'
import { UNENCRYPTED, writeBackup } from './write.ts'

// Writing and reading whole databases is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const scratch = mkdtempSync(join(tmpdir(), 'platform-interrupted-test-'))
let manifest: Manifest
let backup: Backup
let count = 0

beforeAll(async () => {
  const source = join(scratch, 'source.sqlite')
  const files = memoryBucket()
  await makeFixture(source, files)
  const place = { ...createSqlitePlace(source, files, () => source), migrate: async () => undefined }
  ;({ manifest } = await writeBackup(place, join(scratch, 'made'), UNENCRYPTED))
  backup = await openBackup(join(scratch, 'made'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/**
 * A place that behaves like D1's import: each statement is its own transaction, and foreign keys are checked at its end.
 * `afterStatement` is called with the number of statements so far and may throw, as an interruption.
 */
function importingPlace(
  path: string,
  files: Bucket = memoryBucket(),
  afterStatement: (done: number, database: DatabaseSync) => void = () => undefined,
): Place & { readonly path: string } {
  return {
    ...createSqlitePlace(path, files, () => path),
    path,
    migrate: async () => undefined,
    async execute(statements) {
      const database = new DatabaseSync(path)
      try {
        // Only writing to the disk is left out.
        database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY')
        let done = 0
        for await (const statement of statements) {
          database.exec(statement)
          afterStatement(++done, database)
        }
      } finally {
        database.close()
      }
    },
  }
}

function emptyPath(): string {
  const path = join(scratch, `place-${count++}.sqlite`)
  emptyDatabase(path)
  return path
}

async function figuresAt(path: string) {
  const database = new DatabaseSync(path, { readOnly: true })
  const figures = await readFigures(database)
  database.close()
  return figures
}

it('every statement of a restore is valid by itself, with foreign keys on', async () => {
  let statements = 0
  const place = importingPlace(emptyPath(), memoryBucket(), (done, database) => {
    statements = Math.max(statements, done)
    if (done % 20 === 0) expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  })
  const { figures } = await restoreBackup(place, backup)
  expect(figures.ledgerHash).toBe(manifest.ledgerHash)
  expect(statements).toBeGreaterThan(800)
})

it('an interrupted import is refused at any point, until everything is finished', async () => {
  const path = emptyPath()
  const stops: [path: string, done: number][] = []
  let call = 0
  const place = importingPlace(path, memoryBucket(), (done, database) => {
    if (done === 1) call++
    // The first call only marks the database, the second one imports the backup.
    if (call !== 2 || !(done === 1 || done % 200 === 0)) return
    const copy = join(scratch, `stopped-${done}.sqlite`)
    database.exec(`VACUUM INTO '${copy}'`)
    stops.push([copy, done])
  })
  await restoreBackup(place, backup)
  await lockOperatorsOut(place, [])
  stops.push([path, Number.POSITIVE_INFINITY])
  expect(stops.length).toBeGreaterThan(4)
  for (const [stopped, done] of stops) {
    const before = await figuresAt(stopped)
    await expect(restoreBackup(importingPlace(stopped), backup), `after statement ${done}`).rejects.toThrow(
      'A restore into this place was interrupted:\n  - Begin again with a new database and a new bucket.',
    )
    expect(await figuresAt(stopped)).toEqual(before)
  }
  await endRestore(place)
  await expect(restoreBackup(place, backup)).rejects.toThrow('The place is not empty:')
})

it('runs again after an interruption while files were copied, or an import that D1 undid', async () => {
  const path = emptyPath()
  const files = memoryBucket()
  let puts = 0
  const failing: Bucket = {
    ...files,
    async put(file, bytes) {
      if (++puts === 3) throw new Error(`File ${file.key}: no answer.`)
      await files.put(file, bytes)
    },
  }
  await expect(restoreBackup(importingPlace(path, failing), backup)).rejects.toThrow('no answer')
  expect(files.files.size).toBe(2)
  const { figures } = await restoreBackup(importingPlace(path, files), backup)
  expect(figures.ledgerHash).toBe(manifest.ledgerHash)
})

it('a bucket with files of something else is refused, also the second time', async () => {
  const path = emptyPath()
  const files = memoryBucket()
  const failing: Bucket = {
    ...files,
    put: () => Promise.reject(new Error('no answer')),
  }
  await expect(restoreBackup(importingPlace(path, failing), backup)).rejects.toThrow('no answer')
  await files.put(
    { key: 'kyc/other', size: 0, sha256: '', httpMetadata: {}, customMetadata: {} },
    new Uint8Array(),
  )
  await expect(restoreBackup(importingPlace(path, files), backup)).rejects.toThrow('The bucket has files.')
})

it('the mark of an unfinished restore is a failing self-check, which blocks a live deploy', async () => {
  const place = importingPlace(emptyPath())
  await restoreBackup(place, backup)
  const database = new DatabaseSync(place.path, { readOnly: true })
  const checks = () => database.prepare('SELECT name, ok, finding FROM self_checks').all()
  expect(checks()).toEqual([
    {
      name: 'restore',
      ok: 0,
      finding: `The restore of the backup of ${manifest.madeAt} is not finished: this database must not be used`,
    },
  ])
  await endRestore(place)
  expect(checks()).toEqual([])
  database.close()
})
