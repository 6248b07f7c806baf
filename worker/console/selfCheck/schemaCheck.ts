import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import type { Checked } from './run.ts'
import { hashOfSchema, RULES_SQL, SCHEMA_SQL, type SchemaObject } from './schema.ts'
import { SCHEMA_HASH } from './schemaHash.ts'

/** Compares the database's tables, indexes, triggers and rules with what the migrations make: a dropped trigger is seen. */
export async function checkSchema(db: Database): Promise<Checked> {
  const [objects, ...rules] = await readTogether(
    db,
    reading<SchemaObject>(sql.raw(SCHEMA_SQL)),
    ...RULES_SQL.map((query) => reading<Record<string, unknown>>(sql.raw(query))),
  )
  const hash = await hashOfSchema(objects, rules)
  return {
    checkpoint: hash,
    findings: hash === SCHEMA_HASH ? [] : [`The schema is not that of the migrations: ${hash}`],
  }
}
