import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createFreshDatabase } from './backup/tables.ts'
import { migrate } from './migrate.mjs'
import { environment, getProgramPath, root } from './toolchain.mjs'

test('a new state equals the migrations applied one by one, and none is missing', async () => {
  const state = mkdtempSync(join(tmpdir(), 'platform-migrate-test-'))
  onTestFinished(() => rmSync(state, { recursive: true }))

  await migrate(state)
  const first = applied(state)
  expect(schema(openDatabase(state))).toEqual(schema(createFreshDatabase()))
  expect(first.map(({ name }) => name)).toEqual(readdirSync(join(root, 'migrations')).sort())
  expect(first.map(({ id }) => id)).toEqual(first.map((_, index) => index + 1))

  // The state has a database now, so wrangler decides which migrations are missing.
  await migrate(state)
  expect(applied(state)).toEqual(first)
})

const otherVersion = (state: string) =>
  `The database in ${state} was made by another version and cannot be brought up to date: to begin anew, delete the folder ${state}.`

test('a state with unknown migrations is refused in one sentence and stays unchanged', async () => {
  const state = mkdtempSync(join(tmpdir(), 'platform-old-state-'))
  onTestFinished(() => rmSync(state, { recursive: true }))
  const directory = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  mkdirSync(directory, { recursive: true })
  // As a killed miniflare leaves it: the latest writes are only in the write-ahead log.
  const database = new DatabaseSync(join(directory, `${'a'.repeat(64)}.sqlite`))
  onTestFinished(() => database.close())
  database.exec(`
    PRAGMA journal_mode = wal;
    CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TEXT);
    INSERT INTO d1_migrations (name) VALUES ('0001_people.sql'), ('0003_requests.sql');`)
  const before = contents(state)
  expect(before.length).toBeGreaterThan(1)

  const start = spawnSync(getProgramPath('node'), [join(root, 'scripts/start.mjs')], {
    env: { ...environment, STATE_DIR: state, PORT: '1' },
    encoding: 'utf8',
  })
  expect(start).toMatchObject({ status: 1, stdout: '', stderr: `${otherVersion(state)}\n` })
  await expect(migrate(state)).rejects.toThrow(otherVersion(state))
  expect(contents(state)).toEqual(before)
})

/** Every file of a directory, with its content and modification time. */
function contents(directory: string) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, written: statSync(path).mtimeMs, text: readFileSync(path, 'hex') }))
}

function openDatabase(state: string) {
  const directory = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(directory).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  return new DatabaseSync(join(directory, file ?? ''), { readOnly: true })
}

function applied(state: string) {
  return openDatabase(state).prepare('SELECT id, name, applied_at FROM d1_migrations ORDER BY id').all()
}

/** In creation order, without the tables of D1 and wrangler. */
function schema(database: DatabaseSync) {
  return database
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_master
        WHERE name NOT GLOB '_cf_*' AND tbl_name <> 'd1_migrations' AND name <> 'sqlite_sequence' ORDER BY rowid`,
    )
    .all()
}
