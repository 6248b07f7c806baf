import type { DatabaseSync } from 'node:sqlite'
import type { Backup } from './read.ts'
import { literal, quoted, type Row } from './rows.ts'
import { REPLAYED, type Table } from './tables.ts'

/** Triggers of the ledger that look at how a person stands today, not at what the books allow. */
const OF_TODAY: readonly string[] = ['closed_moves_nothing', 'transfers_bonus_unfrozen']
/** Those that write what the backup holds as rows of its own. */
const WRITING: readonly string[] = ['unit_movements_settle']
const LEDGER: readonly string[] = [
  'accounts',
  'transfers',
  'custody_balances',
  'custody_entries',
  'positions',
  'unit_movements',
  'pools',
  'pool_holdings',
  'pool_entries',
]
/** What their rows are opened with: what came to them is told again. */
const OPENED_EMPTY: Readonly<Record<string, readonly string[]>> = {
  accounts: ['balance', 'last_transfer'],
  positions: ['units', 'cost', 'high_water', 'last_movement'],
  pools: ['cash', 'units', 'last_entry'],
  pool_holdings: ['quantity', 'last_entry'],
}

/**
 * The statements between which the rules of the moment are lifted: who may decide, what is frozen or closed, what starts
 * as pending. They hold for what happens, not for what is written down again. The ledger's own stay, and the lifted ones
 * come back exactly as they were.
 */
export async function* unruled(
  database: DatabaseSync,
  statements: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const lifted = database
    .prepare("SELECT name, tbl_name AS owner, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    .all()
    .map(({ name, owner, sql }) => ({ name: String(name), owner: String(owner), sql: String(sql) }))
    .filter(({ name, owner }) => !LEDGER.includes(owner) || OF_TODAY.includes(name) || WRITING.includes(name))
  yield 'PRAGMA defer_foreign_keys = ON'
  for (const { name } of lifted) yield `DROP TRIGGER ${quoted(name)}`
  yield* statements
  for (const { sql } of lifted) yield sql
}

/**
 * All of a backup as statements for an empty database: tables after those they refer to, accounts empty; then each
 * transfer and each entry of custody in its order, with its request or order in the state that caused it, so that the ledger's
 * triggers check it and move the balances anew. No balance is ever written.
 */
export async function* replay(
  backup: Backup,
  tables: readonly Table[],
  madeByMigrations: ReadonlySet<string>,
): AsyncGenerator<string> {
  for (const table of tables) {
    if (REPLAYED.includes(table.name) || madeByMigrations.has(table.name)) continue
    yield* inserts(table, opened(table, backup.rows(table.name)))
  }
  const causes = new Map([
    ...(await statesOf(backup, tables, 'requests')),
    ...(await statesOf(backup, tables, 'unit_orders')),
  ])
  const stands = new Map([...causes].map(([id, { state }]) => [id, state]))
  for (const table of tables.filter(({ name }) => REPLAYED.includes(name))) {
    const code = table.columns.indexOf('code')
    const ref = table.columns.indexOf('ref')
    for await (const row of backup.rows(table.name)) {
      const cause = String(row[ref])
      const final = causes.get(cause)
      if (final !== undefined) {
        const needed = STATE_OF[final.table][String(row[code])] ?? final.state
        if (stands.get(cause) !== needed) yield put(stands, cause, final.table, needed)
      }
      yield row[code] === 'repay' ? insertOnce(table, row) : insert(table, [row])
    }
  }
  for (const [cause, { table, state }] of causes)
    if (stands.get(cause) !== state) yield put(stands, cause, table, state)
}

/** What causes transfers and moves from state to state. */
type Cause = 'requests' | 'unit_orders'

/** The state of it in which each code is posted; another is posted in the one that it ended in. */
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

async function statesOf(
  backup: Backup,
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

function put(stands: Map<string, string>, cause: string, table: Cause, state: string): string {
  stands.set(cause, state)
  return `UPDATE ${table} SET status = ${literal(state)} WHERE id = ${literal(cause)}`
}

/** Accounts, positions and pools open empty. */
async function* opened(table: Table, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  const empty = OPENED_EMPTY[table.name]
  if (empty === undefined) return yield* rows
  for await (const row of rows)
    yield row.map((value, i) => (empty.includes(table.columns[i] ?? '') ? 0 : value))
}

/** So many characters of rows in a statement: half of what D1 takes. */
const STATEMENT_SIZE = 40_000

async function* inserts(table: Table, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let some: Row[] = []
  let size = 0
  for await (const row of rows) {
    const length = row.reduce<number>((sum, value) => sum + literal(value).length + 2, 0)
    if (some.length > 0 && size + length > STATEMENT_SIZE) {
      yield insert(table, some)
      some = []
      size = 0
    }
    some.push(row)
    size += length
  }
  if (some.length > 0) yield insert(table, some)
}

/** The ledger repays a debt by itself when money comes in: then the row is there already, and the comparison at the end looks at it. */
function insertOnce({ name, columns }: Table, row: Row): string {
  const id = literal(row[columns.indexOf('id')] ?? null)
  return `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) SELECT ${row.map(literal).join(', ')}
    WHERE NOT EXISTS (SELECT 1 FROM ${quoted(name)} WHERE id = ${id})`
}

function insert({ name, columns }: Table, rows: readonly Row[]): string {
  const values = rows.map((row) => `(${row.map(literal).join(', ')})`)
  return `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES ${values.join(', ')}`
}
