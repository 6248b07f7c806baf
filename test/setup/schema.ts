import type { DatabaseSync } from 'node:sqlite'
import { createFreshDatabase } from '../../scripts/backup/tables.ts'

/** Characters of one statement for D1, which takes 100,000. */
const MOST_CHARACTERS = 95_000

/**
 * SQL that makes the schema of all migrations and their rows in an empty database, without the steps on the way: tables that later
 * migrations change, and triggers that they replace. It takes a third of the time. In few texts, because each is a round trip.
 */
export function listSchemaStatements(): string[] {
  const database = createFreshDatabase()
  const objects = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid",
    )
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }))
  const tables = objects.filter(({ type }) => type === 'table')
  const others = objects.filter(({ type }) => type !== 'table')
  const statements = [
    ...tables.map(({ sql }) => sql),
    // Before the triggers, which would refuse them. Some tables refer to later ones.
    'PRAGMA defer_foreign_keys = ON',
    ...tables.flatMap(({ name }) => listRows(database, name)),
    ...others.map(({ sql }) => sql),
  ]
  database.close()
  return joinStatements(statements)
}

/** One INSERT for each row of a table. */
function listRows(database: DatabaseSync, table: string): string[] {
  const columns = database
    .prepare(`PRAGMA table_info("${table}")`)
    .all()
    .map(({ name }) => `"${name}"`)
  const values = columns.map((column) => `quote(${column})`).join(` || ', ' || `)
  return database
    .prepare(`SELECT ${values} AS quoted FROM "${table}"`)
    .all()
    .map(({ quoted }) => `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${quoted})`)
}

function joinStatements(statements: readonly string[]): string[] {
  const joined = ['']
  for (const statement of statements) {
    const next = `${statement}\n;\n`
    const last = joined.length - 1
    if (`${joined[last]}${next}`.length > MOST_CHARACTERS) joined.push(next)
    else joined[last] += next
  }
  return joined
}
