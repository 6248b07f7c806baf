import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from './backup/tables.ts'
import { migrate } from './migrate.mjs'
import { root } from './toolchain.mjs'

test('a new state gets what the migrations make one by one, and none of them is left to apply', async () => {
  const state = mkdtempSync(join(tmpdir(), 'evenkeel-migrate-test-'))
  onTestFinished(() => rmSync(state, { recursive: true }))

  await migrate(state)
  const first = applied(state)
  expect(schema(openDatabase(state))).toEqual(schema(freshDatabase()))
  expect(first.map(({ name }) => name)).toEqual(readdirSync(join(root, 'migrations')).sort())
  expect(first.map(({ id }) => id)).toEqual(first.map((_, index) => index + 1))

  // The state has a database now, so this leaves it to wrangler alone to find out what is missing.
  await migrate(state)
  expect(applied(state)).toEqual(first)
})

function openDatabase(state: string) {
  const directory = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(directory).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  return new DatabaseSync(join(directory, file ?? ''), { readOnly: true })
}

function applied(state: string) {
  return openDatabase(state).prepare('SELECT id, name, applied_at FROM d1_migrations ORDER BY id').all()
}

/** In the order in which it was made, without what D1 and wrangler keep for themselves. */
function schema(database: DatabaseSync) {
  return database
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_master
        WHERE name NOT GLOB '_cf_*' AND tbl_name <> 'd1_migrations' AND name <> 'sqlite_sequence' ORDER BY rowid`,
    )
    .all()
}
