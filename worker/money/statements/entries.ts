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

/** The current balances. */
export function readBalances(owner: string): Read<Balances> {
  const sums = IN_BALANCE.map(
    (kind) => sql`coalesce(sum(balance) FILTER (WHERE kind = ${kind}), 0) AS ${sql.identifier(kind)}`,
  )
  return reading(sql`SELECT ${sql.join(sums, sql`, `)} FROM accounts WHERE owner = ${owner}`)
}

/** Reads transfers `t`. `which` filters, orders and limits them. */
export function readEntries(which: SQL): Read<EntryRow> {
  return reading(sql`
    SELECT t.seq, t.at, t.code, coalesce(r.ref, u.ref) AS ref, t.amount, f.kind AS fromKind, o.kind AS toKind
    FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts o ON o.id = t.to_account
      LEFT JOIN requests r ON r.id = t.ref LEFT JOIN unit_orders u ON u.id = t.ref
    ${which}`)
}

/** SQL: transfers `t` of an owner. Matches the leading column of the index `transfers_by_owner`. */
export function ownedBy(owner: string): SQL {
  return sql`substr(t.from_account, 1, instr(t.from_account, ':') - 1) = ${owner}`
}

/** The change of each of an owner's balances since a time (epoch milliseconds). */
export function readChangesSince(owner: string, from: number): Read<Balances> {
  const sums = IN_BALANCE.map((kind) => sql`${netChange([kind])} AS ${sql.identifier(kind)}`)
  return reading(sql`SELECT ${sql.join(sums, sql`, `)} ${since(owner, from)}`)
}

/** What changed an owner's balance on one day (counted from 1970), in cents. */
export interface DailyChange {
  readonly day: number
  readonly change: number
  /** The part that came from outside: money paid in and bonuses, less money paid out. The rest are results and fees. */
  readonly paidIn: number
}

/** The changes of an owner's balance on each day since a time (epoch milliseconds). */
export function readDailyChanges(owner: string, from: number): Read<DailyChange> {
  // A literal, because a bound number would be REAL and make the division fractional.
  return reading(sql`
    SELECT t.at / 86400000 AS day, ${netChange(IN_BALANCE)} AS change,
           ${netChange(IN_BALANCE, sql`t.code NOT IN ('gain', 'lose', 'fee')`)} AS paidIn
    ${since(owner, from)} GROUP BY day`)
}

function netChange(kinds: readonly string[], which = sql`1`): SQL {
  const included = listOf(kinds)
  return sql`coalesce(sum(t.amount * ((o.kind IN ${included}) - (f.kind IN ${included}))) FILTER (WHERE ${which}), 0)`
}

function listOf(kinds: readonly string[]): SQL {
  return sql`(${sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  )})`
}

function since(owner: string, from: number): SQL {
  return sql`
    FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts o ON o.id = t.to_account
    WHERE ${ownedBy(owner)} AND t.at >= ${from}`
}

export function minus(a: Balances, b: Balances): Balances {
  return byKind((kind) => a[kind] - b[kind])
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
