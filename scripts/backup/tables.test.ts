import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { hashSha256 } from './bucket.ts'
import { replay } from './replay.ts'
import { parseRow, readRows } from './rows.ts'
import { readTables } from './tables.ts'

const SCHEMA = `
  CREATE TABLE badges (id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people (id)) STRICT;
  CREATE TABLE decisions (id TEXT PRIMARY KEY, author TEXT NOT NULL REFERENCES people (id), about TEXT REFERENCES badges (id)) STRICT;
  CREATE TABLE people (id TEXT PRIMARY KEY, text TEXT NOT NULL, boss TEXT REFERENCES people (id), decision TEXT REFERENCES decisions (id)) STRICT;`

/** A digest, because a failure would print long rows. */
function digestOf(text: string): string {
  return hashSha256(Buffer.from(text))
}

it('tables that refer to each other and to themselves are restored by statements that are valid each by itself', async () => {
  const source = new DatabaseSync(':memory:')
  source.exec(SCHEMA)
  // Each person fills a statement, so a boss is in a later one.
  const text = 'ä'.repeat(30_000)
  source.exec(`PRAGMA foreign_keys = OFF;
    INSERT INTO people VALUES ('a', '${text}', 'z', 'd'), ('b', '${text}', NULL, NULL), ('z', '${text}', 'a', 'd');
    INSERT INTO decisions VALUES ('d', 'z', 'x'); INSERT INTO badges VALUES ('x', 'a')`)
  const tables = readTables(source).filter(({ columns }) => columns.length > 0)
  expect(tables.map(({ name, forwardReferences }) => [name, forwardReferences])).toEqual([
    ['people', ['decision', 'boss']],
    ['badges', []],
    ['decisions', []],
  ])
  const contents = new Map(tables.map((table) => [table.name, [...readRows(source, table)]]))
  const backup = {
    async *rows(table: string) {
      yield* (contents.get(table) ?? []).map(parseRow)
    },
  }
  const target = new DatabaseSync(':memory:')
  target.exec(SCHEMA)
  let statements = 0
  for await (const statement of replay(backup, tables, new Set())) {
    expect(Buffer.byteLength(statement)).toBeLessThan(100_000)
    target.exec(statement)
    statements++
  }
  expect(statements).toBe(7)
  for (const table of tables)
    expect([...readRows(target, table)].map(digestOf)).toEqual(contents.get(table.name)?.map(digestOf))
})

it('a row that is longer than a statement may be is restored whole', async () => {
  const schema =
    'CREATE TABLE proofs (id TEXT PRIMARY KEY, proof TEXT CHECK (json_valid(proof)), bytes BLOB, note TEXT) STRICT'
  const source = new DatabaseSync(':memory:')
  source.exec(schema)
  const insert = source.prepare('INSERT INTO proofs VALUES (?, ?, ?, ?)')
  const bytes = new Uint8Array(150_000).map((_, i) => i % 256)
  insert.run('a', '{}', null, 'short')
  insert.run('b', JSON.stringify(`x${'ä€'.repeat(60_000)}'`), bytes, `\0${"'".repeat(30_000)}`)
  insert.run('c', null, bytes.subarray(0, 5), null)
  const [table] = readTables(source)
  if (table === undefined) throw new Error('There is a table.')
  const rows = [...readRows(source, table)]
  const backup = {
    async *rows(name: string) {
      if (name === table.name) yield* rows.map(parseRow)
    },
  }
  const target = new DatabaseSync(':memory:')
  target.exec(schema)
  for await (const statement of replay(backup, [table], new Set())) {
    expect(Buffer.byteLength(statement)).toBeLessThan(100_000)
    target.exec(statement)
  }
  expect([...readRows(target, table)].map(digestOf)).toEqual(rows.map(digestOf))
  expect(target.prepare('SELECT name FROM sqlite_master').all()).toHaveLength(2)
})

it('a table that can only be restored before itself is named', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE eggs (id TEXT PRIMARY KEY, hen TEXT NOT NULL REFERENCES eggs (id)) STRICT')
  expect(() => readTables(database)).toThrow('eggs.hen cannot be restored in any order')
  database.exec(`DROP TABLE eggs;
    CREATE TABLE eggs (id TEXT PRIMARY KEY, hen TEXT NOT NULL REFERENCES hens (id)) STRICT;
    CREATE TABLE hens (id TEXT PRIMARY KEY, egg TEXT NOT NULL REFERENCES eggs (id)) STRICT`)
  expect(() => readTables(database)).toThrow('These tables refer to each other: eggs, hens.')
})
