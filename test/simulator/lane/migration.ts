import type { SimulatedDatabase } from './sqlite.ts'

interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view'
  readonly name: string
  readonly owner: string
  readonly sql: string
}

/** The table of the ledger that the migration rebuilds. Triggers name it, and no table refers to it. */
const REBUILT = 'custody_entries'

/**
 * A made-up migration of two files, each one transaction. The first adds a nullable column to every table, and a table. The second
 * rebuilds a table of the ledger as CONTRIBUTING.md says. Both create every trigger again.
 */
export const MIGRATION: readonly ((database: SimulatedDatabase) => Promise<void>)[] = [addColumns, rebuild]

async function addColumns(database: SimulatedDatabase): Promise<void> {
  const schema = await schemaOf(database)
  const tables = schema.filter(({ type }) => type === 'table')
  const added = tables.map(({ name }) => `ALTER TABLE "${name}" ADD COLUMN added_later TEXT`)
  // After each new column SQLite parses the whole schema again. Without the triggers it takes a twentieth of the time.
  await executeWithoutTriggers(database, schema, [
    ...added,
    'CREATE TABLE added_later (id TEXT PRIMARY KEY, note TEXT) STRICT, WITHOUT ROWID',
  ])
}

async function rebuild(database: SimulatedDatabase): Promise<void> {
  const schema = await schemaOf(database)
  const indexes = schema.filter(({ type, owner }) => type === 'index' && owner === REBUILT)
  const table = schema.find(({ name }) => name === REBUILT)
  if (table === undefined) throw new Error(`There is no table ${REBUILT}.`)
  await executeWithoutTriggers(database, schema, [
    table.sql.replace(REBUILT, `${REBUILT}_new`),
    `INSERT INTO ${REBUILT}_new SELECT * FROM ${REBUILT}`,
    `DROP TABLE ${REBUILT}`,
    `ALTER TABLE ${REBUILT}_new RENAME TO ${REBUILT}`,
    ...indexes.map(({ sql }) => sql),
  ])
}

/** Executes statements between dropping every trigger and creating them all again. */
async function executeWithoutTriggers(
  database: SimulatedDatabase,
  schema: readonly SchemaObject[],
  statements: readonly string[],
): Promise<void> {
  const triggers = schema.filter(({ type }) => type === 'trigger')
  await database.execute([
    ...triggers.map(({ name }) => `DROP TRIGGER "${name}"`),
    ...statements,
    ...triggers.map(({ sql }) => sql),
  ])
}

/** The objects of a schema in the order in which they were created. */
function schemaOf(database: SimulatedDatabase): Promise<SchemaObject[]> {
  return database.rows(
    `SELECT type, name, tbl_name AS owner, sql FROM sqlite_master
     WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations' ORDER BY rowid`,
  )
}
