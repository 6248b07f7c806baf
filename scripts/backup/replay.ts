import type { DatabaseSync } from 'node:sqlite'
import type { Backup } from './read.ts'
import { literal, quoted, type Row } from './rows.ts'
import { REPLAYED, type Table } from './tables.ts'

/** Triggers of the ledger that look at how a person stands today, not at what the books allow. */
const OF_TODAY: readonly string[] = ['closed_moves_nothing', 'transfers_bonus_unfrozen']
const LEDGER: readonly string[] = ['accounts', 'transfers', 'custody_balances', 'custody_entries']

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
    .filter(({ name, owner }) => !LEDGER.includes(owner) || OF_TODAY.includes(name))
  yield 'PRAGMA defer_foreign_keys = ON'
  for (const { name } of lifted) yield `DROP TRIGGER ${quoted(name)}`
  yield* statements
  for (const { sql } of lifted) yield sql
}

/**
 * All of a backup as statements for an empty database: tables after those they refer to, accounts empty; then each
 * transfer and each entry of custody in its order, with its request in the state that caused it, so that the ledger's
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
  const requests = await statesOf(backup, tables)
  const stands = new Map(requests)
  for (const table of tables.filter(({ name }) => REPLAYED.includes(name))) {
    const code = table.columns.indexOf('code')
    const ref = table.columns.indexOf('ref')
    for await (const row of backup.rows(table.name)) {
      const request = String(row[ref])
      const final = requests.get(request)
      const needed = final === undefined ? undefined : (STATE_OF[String(row[code])] ?? final)
      const state = needed === 'released' ? final : needed
      if (state !== undefined && stands.get(request) !== state) yield put(stands, request, state)
      yield insert(table, [row])
    }
  }
  for (const [request, state] of requests)
    if (stands.get(request) !== state) yield put(stands, request, state)
}

/** The state of a request in which each code is posted; others than these are of no request. */
const STATE_OF: Readonly<Record<string, string>> = {
  credit: 'approved',
  repay: 'approved',
  hold: 'pending',
  // Cancelled or rejected: as it ended.
  release: 'released',
  complete: 'completed',
  overdraw: 'reversed',
  reverse_credit: 'reversed',
  reverse_payout: 'reversed',
  reverse_in: 'reversed',
  reverse_out: 'reversed',
  in: 'approved',
  out: 'completed',
}

async function statesOf(backup: Backup, tables: readonly Table[]): Promise<Map<string, string>> {
  const columns = tables.find(({ name }) => name === 'requests')?.columns ?? []
  const states = new Map<string, string>()
  for await (const row of backup.rows('requests'))
    states.set(String(row[columns.indexOf('id')]), String(row[columns.indexOf('status')]))
  return states
}

function put(stands: Map<string, string>, request: string, state: string): string {
  stands.set(request, state)
  return `UPDATE requests SET status = ${literal(state)} WHERE id = ${literal(request)}`
}

/** Accounts open empty. */
async function* opened(table: Table, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  if (table.name !== 'accounts') return yield* rows
  for await (const row of rows)
    yield row.map((value, i) => (['balance', 'last_transfer'].includes(table.columns[i] ?? '') ? 0 : value))
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

function insert({ name, columns }: Table, rows: readonly Row[]): string {
  const values = rows.map((row) => `(${row.map(literal).join(', ')})`)
  return `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES ${values.join(', ')}`
}
