import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createFreshDatabase } from '../scripts/backup/tables.ts'
import { listMigrationNames } from '../scripts/migrate.mjs'
import { root } from '../scripts/toolchain.mjs'
import { splitStatements } from './support/cloudflare/statements.ts'

/** D1's limit for one statement. */
const MAX_STATEMENT_BYTES = 100_000

/** Runs each statement by itself, and returns those that fail, named by their trigger. */
function failuresIn(database: DatabaseSync, sql: string): string[] {
  return splitStatements(sql).flatMap((statement) => {
    const name = /^CREATE TRIGGER\s+(\w+)/.exec(statement)?.[1] ?? statement.slice(0, 60)
    if (Buffer.byteLength(statement) > MAX_STATEMENT_BYTES) return [`${name}: too long`]
    try {
      database.exec(statement)
      return []
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : error}`]
    }
  })
}

test('every migration survives a splitter of statements that is as strict as the server’s', () => {
  const database = new DatabaseSync(':memory:')
  for (const name of listMigrationNames()) {
    const sql = readFileSync(join(root, 'migrations', name), 'utf8')
    expect(failuresIn(database, sql), `${name}: put each CASE … END of a trigger in parentheses`).toEqual([])
  }
  const schema = 'SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name'
  expect(database.prepare(schema).all()).toEqual(createFreshDatabase().prepare(schema).all())
})

test('a trigger with a bare CASE … END is cut in two, and is named', () => {
  const database = new DatabaseSync(':memory:')
  const trigger = (condition: string) => `CREATE TABLE t (a INTEGER) STRICT;
    CREATE TRIGGER t_checked BEFORE INSERT ON t BEGIN
      SELECT RAISE(ABORT, 'no; not''this') WHERE ${condition};
    END;`
  expect(failuresIn(database, trigger('NEW.a = CASE 1 WHEN 1 THEN 2 END'))).toEqual([
    't_checked: incomplete input',
    'END: cannot commit - no transaction is active',
  ])
  database.exec('DROP TABLE t')
  expect(failuresIn(database, trigger('NEW.a = (CASE 1 WHEN 1 THEN 2 END)'))).toEqual([])
})
