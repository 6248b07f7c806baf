import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { hashOfSchema, RULES_SQL, SCHEMA_SQL } from '../../worker/console/selfCheck/schema.ts'
import type { Table } from './replay.ts'
import { readRows } from './rows.ts'
import { createFreshDatabase, readTables } from './tables.ts'

/** Describes a backup. A restore compares its result with it. */
export interface Manifest {
  readonly format: 1
  readonly madeAt: string
  /** The git commit of the software that made it, if known. */
  readonly version: string | null
  readonly migrations: readonly string[]
  readonly schemaHash: string
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[]
  /** The hash of all transfers in order, then of all accounts with their balances. */
  readonly ledgerHash: string
  /** The hash of the newest block of the audit log, which covers all earlier ones. */
  readonly auditHead: string | null
  readonly files: readonly StoredFile[]
  /** Files that the database refers to but the bucket did not have. */
  readonly missing: readonly string[]
}

export interface StoredFile {
  readonly key: string
  readonly size: number
  readonly sha256: string
  readonly httpMetadata: Readonly<Record<string, string>>
  readonly customMetadata: Readonly<Record<string, string>>
}

/** The part of the manifest that must be the same after a restore. */
export type Figures = Pick<Manifest, 'migrations' | 'schemaHash' | 'tables' | 'ledgerHash' | 'auditHead'>

export async function readFigures(database: DatabaseSync): Promise<Figures> {
  const tables = readTables(database)
  return {
    migrations: readAppliedMigrations(database),
    schemaHash: await hashDatabaseSchema(database),
    tables: tables.map((table) => ({ name: table.name, ...hashTable(database, table) })),
    ledgerHash: hashLedger(database, tables),
    auditHead: readAuditHead(database),
  }
}

export function listDifferences(expected: Figures, found: Figures): string[] {
  const tables = expected.tables.flatMap(({ name, rows, sha256 }) => {
    const foundTable = found.tables.find((table) => table.name === name)
    if (foundTable === undefined) return [`Table ${name} is not there.`]
    if (foundTable.rows !== rows) return [`Table ${name} has ${foundTable.rows} rows, the backup ${rows}.`]
    return foundTable.sha256 === sha256
      ? []
      : [`Table ${name} has as many rows as the backup, but not the same.`]
  })
  return [
    ...tables,
    ...(expected.ledgerHash === found.ledgerHash ? [] : ['The hash of the ledger differs.']),
    ...(expected.auditHead === found.auditHead ? [] : ['The newest seal of the audit log differs.']),
    ...(expected.schemaHash === found.schemaHash
      ? []
      : ['The schema differs: a trigger or a table is another.']),
  ]
}

/** The hash of an empty database with all migrations. The Worker's self-check compares it with its own database's. */
export function hashMigrations(): Promise<string> {
  migrationsHash ??= hashDatabaseSchema(createFreshDatabase())
  return migrationsHash
}

let migrationsHash: Promise<string> | undefined

/** The hash of a database's schema and rule rows. */
export function hashDatabaseSchema(database: DatabaseSync): Promise<string> {
  const objects = database
    .prepare(SCHEMA_SQL)
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) }))
  return hashOfSchema(
    objects,
    RULES_SQL.map((query) => database.prepare(query).all()),
  )
}

/** The names of the applied migrations, in order. */
export function readAppliedMigrations(database: DatabaseSync): string[] {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").get()
  if (hasTable === undefined) return []
  return database
    .prepare('SELECT name FROM d1_migrations ORDER BY id')
    .all()
    .map(({ name }) => String(name))
}

function hashTable(database: DatabaseSync, table: Table): { rows: number; sha256: string } {
  const hash = createHash('sha256')
  let rows = 0
  for (const json of readRows(database, table)) {
    hash.update(`${json}\n`)
    rows++
  }
  return { rows, sha256: hash.digest('hex') }
}

function hashLedger(database: DatabaseSync, tables: readonly Table[]): string {
  const hash = createHash('sha256')
  for (const name of ['transfers', 'accounts']) {
    const table = tables.find((candidate) => candidate.name === name)
    if (table !== undefined) for (const json of readRows(database, table)) hash.update(`${name} ${json}\n`)
  }
  return hash.digest('hex')
}

function readAuditHead(database: DatabaseSync): string | null {
  const head = database.prepare('SELECT hash FROM audit_blocks ORDER BY seq DESC LIMIT 1').get()
  return head === undefined ? null : String(head.hash)
}
