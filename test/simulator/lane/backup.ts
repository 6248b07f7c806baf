import { replay, type Table, type Trigger, wrapWithoutEventTriggers } from '../../../scripts/backup/replay.ts'
import { quoteName, type Row } from '../../../scripts/backup/rows.ts'
import type { SimulatedDatabase } from './sqlite.ts'

/** What a backup contains of the schema. */
export interface BackupContents {
  readonly tables: readonly Table[]
  /** Tables whose rows come from the migrations. */
  readonly madeByMigrations: readonly string[]
}

/** The rows of a database at one moment, by table. */
export type DatabaseBackup = ReadonlyMap<string, readonly Row[]>

/** Reads what `npm run backup` writes of a database. */
export async function backUp(database: SimulatedDatabase): Promise<DatabaseBackup> {
  const read = new Map<string, readonly Row[]>()
  for (const { name, columns, key } of database.contents().tables) {
    const rows = await database.rows<Record<string, Row[number]>>(
      `SELECT ${columns.map(quoteName).join(', ')} FROM ${quoteName(name)} ORDER BY ${key.map(quoteName).join(', ')}`,
    )
    read.set(
      name,
      rows.map((row) => columns.map((column) => row[column] ?? null)),
    )
  }
  return read
}

/**
 * Restores a backup into an empty database, which takes the other one's place, by the statements of `npm run restore`. Throws if the
 * result is not what the backup has.
 */
export async function restore(database: SimulatedDatabase, backup: DatabaseBackup): Promise<void> {
  const { tables, madeByMigrations } = database.contents()
  const source = {
    async *rows(table: string) {
      yield* backup.get(table) ?? []
    },
  }
  await database.replaceWith((triggers: readonly Trigger[]) =>
    wrapWithoutEventTriggers(triggers, replay(source, tables, new Set(madeByMigrations))),
  )
  const restored = await backUp(database)
  for (const [table, rows] of backup)
    if (JSON.stringify(restored.get(table)) !== JSON.stringify(rows))
      throw new Error(`The restored table ${table} is not the one of the backup.`)
}
