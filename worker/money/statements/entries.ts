import { type SQL, sql } from 'drizzle-orm'
import type { EntryCode, LedgerEntry } from '../../../src/contract/money/statements.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'

/** One transfer of an investor, in cents, with the kinds of both accounts. */
export interface EntryRow {
  readonly seq: number
  readonly at: number
  readonly code: EntryCode
  readonly ref: string | null
  readonly amount: number
  readonly fromKind: string
  readonly toKind: string
}

/** The account kinds that add up to the balance: `owed` is negative, strategies count at cost. */
const IN_BALANCE = ['available', 'held', 'allocating', 'invested', 'owed'] as const
type Kind = (typeof IN_BALANCE)[number]

/** An investor's balances at a moment, in cents. `owed` is negative for a debt. */
export type Balances = Readonly<Record<Kind, number>>

export const ZERO_BALANCES: Balances = { available: 0, held: 0, allocating: 0, invested: 0, owed: 0 }

export function balanceOf(balances: Balances): number {
  return IN_BALANCE.reduce((sum, kind) => sum + balances[kind], 0)
}

/** How much an entry changes the balance: zero if both accounts are part of it. */
export function changeOf({ amount, fromKind, toKind }: EntryRow): number {
  const counts = (kind: string) => Number((IN_BALANCE as readonly string[]).includes(kind))
  return amount * (counts(toKind) - counts(fromKind))
}

/** The balances after an entry. */
export function applyEntry(before: Balances, row: EntryRow): Balances {
  const change = (kind: Kind) => row.amount * (Number(row.toKind === kind) - Number(row.fromKind === kind))
  return byKind((kind) => before[kind] + change(kind))
}

/** Reads transfers `t`. `which` filters, orders and limits them. */
export function readEntries(which: SQL): Read<EntryRow> {
  return reading(sql`
    SELECT t.seq, t.at, t.code, coalesce(r.ref, u.ref) AS ref, t.amount,
      ${kindOf(sql`t.from_account`)} AS fromKind, ${kindOf(sql`t.to_account`)} AS toKind
    FROM transfers t LEFT JOIN requests r ON r.id = t.ref LEFT JOIN unit_orders u ON u.id = t.ref
    ${which}`)
}

/** SQL: the kind in an account's id, `owner:kind` or `owner:kind:subject`. Two rows less to read for each entry. */
function kindOf(id: SQL): SQL {
  const rest = sql`substr(${id}, instr(${id}, ':') + 1)`
  return sql`substr(${rest}, 1, instr(${rest} || ':', ':') - 1)`
}

/** SQL: transfers `t` of an owner. Matches the leading column of the index `transfers_by_owner`. */
export function ownedBy(owner: string): SQL {
  return sql`substr(t.from_account, 1, instr(t.from_account, ':') - 1) = ${owner}`
}

/** An investor's balances before a moment (epoch milliseconds), in cents: those of the next checkpoint, less the entries between. */
export function readBalancesBefore(owner: string, atMs: number): Read<Balances> {
  const next = checkpointFrom(owner, atMs)
  const each = (amount: (column: SQL) => SQL) =>
    sql.join(
      IN_BALANCE.map((kind) => sql`${amount(sql.raw(kind))} AS ${sql.raw(kind)}`),
      sql`, `,
    )
  return reading(sql`
    SELECT ${each((column) => sql`coalesce(sum(${column}), 0)`)} FROM (
      SELECT ${each((column) => column)} FROM (${next})
      UNION ALL
      SELECT ${each((column) => sql`-c.${column}`)} FROM (${next}) n CROSS JOIN balance_changes c
      WHERE c.owner = ${owner} AND c.at >= ${atMs} AND (c.at, c.seq) < (n.at, n.seq))`)
}

/** The state at the end of the last day with entries before a day. */
export interface DayEnd {
  /** Epoch milliseconds of the next entry, which is on a later day. */
  readonly before: number
  /** The balance, in cents. */
  readonly balance: number
  /** All that came from outside until then, in cents: money paid in and bonuses, less money paid out. */
  readonly paidIn: number
}

/**
 * The balances before each day with entries, from a day's first millisecond on, and the current ones, oldest first. The first entry
 * of a day has a checkpoint, so this reads a row or two a day.
 */
export function readDayEnds(owner: string, fromMs: number): Read<DayEnd> {
  const balance = sql.join(
    IN_BALANCE.map((kind) => sql.raw(kind)),
    sql` + `,
  )
  // A literal, because a bound number would be REAL and make the division fractional.
  return reading(sql`
    WITH RECURSIVE ends AS (
      SELECT * FROM (${checkpointFrom(owner, fromMs)})
      UNION ALL
      SELECT n.* FROM ends e JOIN balance_checkpoints n ON n.owner = e.owner AND (n.at, n.seq) = (
        SELECT f.at, f.seq FROM balance_checkpoints f
        WHERE f.owner = e.owner AND f.at >= (e.at / 86400000 + 1) * 86400000 ORDER BY f.at, f.seq LIMIT 1))
    SELECT at AS before, ${balance} AS balance, net_paid_in AS paidIn FROM ends ORDER BY at`)
}

/** SQL: an owner's first checkpoint from a time on (epoch milliseconds). */
function checkpointFrom(owner: string, atMs: number): SQL {
  return sql`SELECT * FROM balance_checkpoints WHERE owner = ${owner} AND at >= ${atMs} ORDER BY at, seq LIMIT 1`
}

function byKind(amount: (kind: Kind) => number): Balances {
  return Object.fromEntries(IN_BALANCE.map((kind) => [kind, amount(kind)])) as Record<Kind, number>
}

/** An entry as the API returns it. `change` in cents; by default that of the balance. */
export function entryOf(row: EntryRow, change = changeOf(row)): LedgerEntry {
  return {
    _id: String(row.seq),
    at: iso(row.at),
    ref: row.ref,
    code: row.code,
    amount: usdOf(row.amount),
    change: usdOf(change),
  }
}
