// Writes worker/console/selfCheck/schemaHash.ts: the hash of the schema that the migrations make, which the Worker compares with
// the database's. Run it after each change of a migration: `node scripts/schema-hash.mjs`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { hashOfSchema, RULES_SQL, SCHEMA_SQL } from '../worker/console/selfCheck/schema.ts'

const migrations = join(import.meta.dirname, '../migrations')
const target = join(import.meta.dirname, '../worker/console/selfCheck/schemaHash.ts')

/** The hash of what all migrations together make of an empty database. */
export async function hashOfMigrations() {
  const database = new DatabaseSync(':memory:')
  for (const name of readdirSync(migrations).sort()) {
    if (name.endsWith('.sql')) database.exec(readFileSync(join(migrations, name), 'utf8'))
  }
  const objects = database
    .prepare(SCHEMA_SQL)
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }))
  return await hashOfSchema(
    objects,
    RULES_SQL.map((query) => database.prepare(query).all()),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(
    target,
    `/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '${await hashOfMigrations()}'
`,
  )
}
