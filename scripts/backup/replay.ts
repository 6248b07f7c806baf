import type { DatabaseSync } from 'node:sqlite'
import type { Backup } from './read.ts'
import { quoteName, type Row, toSqlLiteral } from './rows.ts'

/** A table of a backup. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** The primary key, which orders the rows in the backup and when they are restored. */
  readonly key: readonly string[]
  /** Columns that refer to this table or to a later one. They are restored as NULL and set once those rows exist. */
  readonly forwardReferences: readonly string[]
}

/** Tables that are restored row by row through the ledger's triggers, after all others. */
export const REPLAYED: readonly string[] = ['unit_movements', 'pool_entries', 'transfers', 'custody_entries']

/** Ledger triggers that check a person's current state, not the ledger. */
const OF_CURRENT_STATE: readonly string[] = [
  'transfers_not_closed',
  'transfers_bonus_ceiling',
  'transfers_bonus_unfrozen',
  'transfers_month_open',
  'custody_month_open',
  'positions_redeemed',
]
/** Triggers that write `name_tokens`. A backup omits that table, because it is derived from the rows of `users`. */
const DERIVING: readonly string[] = ['users_named', 'users_renamed']
/** Triggers that insert rows which the backup already contains. */
const INSERTING: readonly string[] = [
  'transfers_bonus_counted',
  'transfers_recovered',
  'unit_movements_settle',
  'custody_placed',
]
const LEDGER: readonly string[] = [
  'accounts',
  'transfers',
  'balance_checkpoints',
  'custody_balances',
  'custody_entries',
  'positions',
  'unit_movements',
  'position_history',
  'pools',
  'pool_holdings',
  'pool_entries',
]
/** Columns that start at 0, because the replayed transfers update them. */
const STARTING_EMPTY: Readonly<Record<string, readonly string[]>> = {
  accounts: ['balance', 'last_transfer'],
  positions: ['units', 'cost', 'high_water', 'last_movement'],
  pools: ['cash', 'units', 'last_entry'],
  pool_holdings: ['quantity', 'last_entry'],
}

export interface Trigger {
  readonly name: string
  /** The table whose changes fire it. */
  readonly owner: string
  readonly sql: string
}

export const TRIGGERS_SQL =
  "SELECT name, tbl_name AS owner, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"

/** The triggers of a database, in the order in which they were created. */
export function readTriggers(database: DatabaseSync): Trigger[] {
  return database
    .prepare(TRIGGERS_SQL)
    .all()
    .map(({ name, owner, sql }) => ({ name: String(name), owner: String(owner), sql: String(sql) }))
}

/** Tables with people's rows in which migrations insert rows too: the statement that removes these. */
const ROWS_OF_MIGRATIONS: Readonly<Record<string, string>> = {
  users: "DELETE FROM users WHERE id = 'system'",
}

/**
 * Runs statements without the triggers that only apply to new events: who may decide, which accounts are frozen or closed,
 * which rows start as pending. The ledger's triggers stay active. The dropped triggers are created again unchanged. D1 may commit
 * after each statement, so none relies on deferred foreign keys.
 */
export async function* wrapWithoutEventTriggers(
  triggers: readonly Trigger[],
  statements: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const lifted = triggers.filter(
    ({ name, owner }) =>
      !(LEDGER.includes(owner) || DERIVING.includes(name)) ||
      OF_CURRENT_STATE.includes(name) ||
      INSERTING.includes(name),
  )
  for (const { name } of lifted) yield `DROP TRIGGER ${quoteName(name)}`
  yield* statements
  for (const { sql } of lifted) yield sql
}

/**
 * A backup as statements for an empty database. First the tables, in the order of their references, with empty accounts. References
 * to later rows follow once those exist. Then each transfer and custody entry in order, while its request or order is in the state
 * that caused it. So the ledger's triggers check each entry and update the balances. No balance is written directly. Each statement
 * is valid by itself.
 */
export async function* replay(
  backup: Pick<Backup, 'rows'>,
  tables: readonly Table[],
  madeByMigrations: ReadonlySet<string>,
): AsyncGenerator<string> {
  const restored = tables.filter(
    ({ name }) => !REPLAYED.includes(name) && (name in ROWS_OF_MIGRATIONS || !madeByMigrations.has(name)),
  )
  for (const table of restored) {
    const made = ROWS_OF_MIGRATIONS[table.name]
    // The backup has them too, with the numbers that everything else refers to.
    if (made !== undefined) yield made
    yield* insertRowsSql(table, clearColumns(table, backup.rows(table.name)))
  }
  for (const table of restored) yield* setForwardReferences(table, backup.rows(table.name))
  const causes = new Map([
    ...(await readStates(backup, tables, 'requests')),
    ...(await readStates(backup, tables, 'unit_orders')),
  ])
  const states = new Map([...causes].map(([id, { state }]) => [id, state]))
  for (const table of tables.filter(({ name }) => REPLAYED.includes(name))) {
    const code = table.columns.indexOf('code')
    const ref = table.columns.indexOf('ref')
    for await (const row of backup.rows(table.name)) {
      const cause = String(row[ref])
      const final = causes.get(cause)
      if (final !== undefined) {
        const needed = STATE_OF[final.table][String(row[code])] ?? final.state
        if (states.get(cause) !== needed) yield updateStatusSql(states, cause, final.table, needed)
      }
      yield row[code] === 'repay' ? insertOnce(table, row) : insert(table, [row.map(toSqlLiteral)])
    }
  }
  for (const [cause, { table, state }] of causes)
    if (states.get(cause) !== state) yield updateStatusSql(states, cause, table, state)
}

/** Tables whose rows cause transfers and change their state. */
type Cause = 'requests' | 'unit_orders'

/** The state of the cause in which each code is posted. Other codes are posted in its final state. */
const STATE_OF: Readonly<Record<Cause, Readonly<Record<string, string>>>> = {
  requests: {
    credit: 'approved',
    hold: 'pending',
    complete: 'completed',
    overdraw: 'reversed',
    reverse_credit: 'reversed',
    reverse_payout: 'reversed',
    reverse_in: 'reversed',
    reverse_out: 'reversed',
    in: 'approved',
    out: 'completed',
  },
  unit_orders: { allocate: 'pending' },
}

async function readStates(
  backup: Pick<Backup, 'rows'>,
  tables: readonly Table[],
  table: Cause,
): Promise<[id: string, ended: { table: Cause; state: string }][]> {
  const columns = tables.find(({ name }) => name === table)?.columns ?? []
  const states: [string, { table: Cause; state: string }][] = []
  for await (const row of backup.rows(table))
    states.push([
      String(row[columns.indexOf('id')]),
      { table, state: String(row[columns.indexOf('status')]) },
    ])
  return states
}

function updateStatusSql(states: Map<string, string>, cause: string, table: Cause, state: string): string {
  states.set(cause, state)
  return `UPDATE ${table} SET status = ${toSqlLiteral(state)} WHERE id = ${toSqlLiteral(cause)}`
}

/** Sets the `STARTING_EMPTY` columns of rows to 0, and forward references to NULL. */
async function* clearColumns(table: Table, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  const empty = STARTING_EMPTY[table.name] ?? []
  const later = table.forwardReferences
  for await (const row of rows)
    yield row.map((value, i) => {
      const column = table.columns[i] ?? ''
      return later.includes(column) ? null : empty.includes(column) ? 0 : value
    })
}

async function* setForwardReferences(table: Table, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  if (table.forwardReferences.length === 0) return
  const buildAssignments = (columns: readonly string[], row: Row) =>
    columns.map((name) => `${quoteName(name)} = ${toSqlLiteral(row[table.columns.indexOf(name)] ?? null)}`)
  for await (const row of rows) {
    const set = table.forwardReferences.filter((name) => row[table.columns.indexOf(name)] !== null)
    if (set.length > 0)
      yield `UPDATE ${quoteName(table.name)} SET ${buildAssignments(set, row).join(', ')} WHERE ${buildAssignments(table.key, row).join(' AND ')}`
  }
}

/** The maximum bytes of rows in one statement: less than half of D1's limit. */
const STATEMENT_BYTES = 40_000
/** A longer row does not fit into a statement. A value may have 2 MB, because the Worker binds it as a parameter. */
const ROW_BYTES = 90_000

async function* insertRowsSql(table: Table, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let some: string[][] = []
  let size = 0
  for await (const row of rows) {
    const values = row.map(toSqlLiteral)
    const length = values.reduce((sum, value) => sum + Buffer.byteLength(value) + 2, 0)
    if (some.length > 0 && size + length > STATEMENT_BYTES) {
      yield insert(table, some)
      some = []
      size = 0
    }
    if (length > ROW_BYTES) yield* insertLongRow(table, row)
    else {
      some.push(values)
      size += length
    }
  }
  if (some.length > 0) yield insert(table, some)
}

/** Assembles the long values of a row in a table that exists only meanwhile, so that the row is still inserted as a whole. */
function* insertLongRow(table: Table, row: Row): Generator<string> {
  yield 'CREATE TABLE restored_values (place INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT'
  const values = row.map(toSqlLiteral)
  for (const [place, value] of row.entries()) {
    const isText = typeof value === 'string'
    if (!(isText || value instanceof Uint8Array) || value.length < 1_000) continue
    yield `INSERT INTO restored_values (place, value) VALUES (${place}, '')`
    const bytes = isText ? Buffer.from(value) : Buffer.from(value)
    for (let start = 0; start < bytes.length; start += STATEMENT_BYTES) {
      const piece = bytes.subarray(start, start + STATEMENT_BYTES).toString('hex')
      yield `UPDATE restored_values SET value = value || CAST(X'${piece}' AS TEXT) WHERE place = ${place}`
    }
    const assembled = `(SELECT value FROM restored_values WHERE place = ${place})`
    values[place] = isText ? assembled : `CAST(${assembled} AS BLOB)`
  }
  yield insert(table, [values])
  yield 'DROP TABLE restored_values'
}

/** For repayments, which a ledger trigger may have inserted already. The final comparison checks them. */
function insertOnce({ name, columns }: Table, row: Row): string {
  const id = toSqlLiteral(row[columns.indexOf('id')] ?? null)
  return `INSERT INTO ${quoteName(name)} (${columns.map(quoteName).join(', ')}) SELECT ${row.map(toSqlLiteral).join(', ')}
    WHERE NOT EXISTS (SELECT 1 FROM ${quoteName(name)} WHERE id = ${id})`
}

function insert({ name, columns }: Table, rows: readonly (readonly string[])[]): string {
  const values = rows.map((row) => `(${row.join(', ')})`)
  return `INSERT INTO ${quoteName(name)} (${columns.map(quoteName).join(', ')}) VALUES ${values.join(', ')}`
}
