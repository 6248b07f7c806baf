import { type SQL, sql } from 'drizzle-orm'
import type { EntryCode } from '../../src/contract/statements.ts'
import { type Read, reading } from '../lib/database.ts'

/** One transfer of an investor's, in cents, with what it did to the balances that a statement shows. */
export interface EntryRow {
  readonly seq: number
  readonly at: number
  readonly code: EntryCode
  readonly ref: string | null
  readonly amount: number
  readonly fromKind: string
  readonly toKind: string
}

/** What a statement says of an account at a moment, in cents. */
export interface Balances {
  readonly available: number
  readonly held: number
  readonly balance: number
}

/** What stands in books in which nothing was posted yet. */
export const NOTHING: Balances = { available: 0, held: 0, balance: 0 }

/** The kinds of account whose sum is the balance; what is owed stands below zero in it, what is invested as what was paid for it. */
const IN_BALANCE: readonly string[] = ['available', 'held', 'allocating', 'invested', 'owed']

/** By how much an entry changes the balance: not at all where both of its sides are in it. */
export function changeOf({ amount, fromKind, toKind }: EntryRow): number {
  return amount * (Number(IN_BALANCE.includes(toKind)) - Number(IN_BALANCE.includes(fromKind)))
}

/** The balances once an entry was posted. */
export function after(before: Balances, row: EntryRow): Balances {
  const came = (kind: string) => row.amount * (Number(row.toKind === kind) - Number(row.fromKind === kind))
  return {
    available: before.available + came('available'),
    held: before.held + came('held'),
    balance: before.balance + changeOf(row),
  }
}

/** The balances as they stand, from the accounts by their owner. */
export function readBalances(owner: string): Read<Balances> {
  const sum = (kinds: readonly string[]) => sql`
    coalesce(sum(balance) FILTER (WHERE kind IN ${listOf(kinds)}), 0)`
  return reading(sql`
    SELECT ${sum(['available'])} AS available, ${sum(['held'])} AS held, ${sum(IN_BALANCE)} AS balance
    FROM accounts WHERE owner = ${owner}`)
}

/** Reads transfers `t` of an owner. `which` picks, orders and limits them. */
export function readEntries(which: SQL): Read<EntryRow> {
  return reading(sql`
    SELECT t.seq, t.at, t.code, coalesce(r.ref, u.ref) AS ref, t.amount, f.kind AS fromKind, o.kind AS toKind
    FROM transfers t JOIN accounts f ON f.id = t.from_account JOIN accounts o ON o.id = t.to_account
      LEFT JOIN requests r ON r.id = t.ref LEFT JOIN unit_orders u ON u.id = t.ref
    ${which}`)
}

/** Transfers `t` of an owner: the leading column of the index `transfers_by_owner`. */
export function ownedBy(owner: string): SQL {
  return sql`substr(t.from_account, 1, instr(t.from_account, ':') - 1) = ${owner}`
}

/** All of an owner's transfers since a time (epoch milliseconds) summed up: what they did to the balances. */
export function readMoved(owner: string, from: number): Read<Balances> {
  return reading(sql`
    SELECT ${moved(['available'])} AS available, ${moved(['held'])} AS held, ${moved(IN_BALANCE)} AS balance
    ${since(owner, from)}`)
}

/** By how much an owner's balance changed on each day since a time, days counted from the epoch. */
export function readDailyChanges(owner: string, from: number): Read<{ day: number; change: number }> {
  // A bound number would be a REAL, and the division no longer whole.
  return reading(sql`
    SELECT t.at / 86400000 AS day, ${moved(IN_BALANCE)} AS change ${since(owner, from)} GROUP BY day`)
}

function moved(kinds: readonly string[]): SQL {
  const among = listOf(kinds)
  return sql`coalesce(sum(t.amount * ((o.kind IN ${among}) - (f.kind IN ${among}))), 0)`
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
  return { available: a.available - b.available, held: a.held - b.held, balance: a.balance - b.balance }
}
