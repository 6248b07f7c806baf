import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { parseRow, readRows, toSqlLiteral, type Value } from './rows.ts'

const table = { name: 'things', columns: ['id', 'thing'], key: ['id'], forwardReferences: [] }

it('every SQLite value survives a line of JSON and a literal', () => {
  const values: Value[] = [
    null,
    0,
    -7,
    2n ** 63n - 1n,
    -(2n ** 63n),
    'it\'s "quoted"\nand \u{1F60A}',
    'a\0b',
    Buffer.from([0, 255, 39]),
  ]
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, thing ANY) STRICT')
  for (const [id, value] of values.entries())
    database.prepare('INSERT INTO things VALUES (?, ?)').run(id, value)
  const lines = [...readRows(database, table)]
  database.exec('DELETE FROM things')
  for (const line of lines)
    database.exec(`INSERT INTO things VALUES (${parseRow(line).map(toSqlLiteral).join(', ')})`)
  expect([...readRows(database, table)]).toEqual(lines)
  const read = database.prepare('SELECT thing, typeof(thing) AS type FROM things ORDER BY id')
  read.setReadBigInts(true)
  expect(read.all().map(({ type }) => type)).toEqual([
    'null',
    'integer',
    'integer',
    'integer',
    'integer',
    'text',
    'text',
    'blob',
  ])
  expect(read.all()[3]?.thing).toBe(2n ** 63n - 1n)
})
