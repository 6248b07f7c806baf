import { eq, type SQL, sql } from 'drizzle-orm'
import type { EntryCode, LedgerEntry } from '../../../src/contract/money/statements.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { toIso } from '../../http/paging.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { DAY_MS_SQL } from '../../lib/days.ts'
import { transfers } from '../../lib/tables/ledger.ts'
import { requests } from '../../lib/tables/requests.ts'
import { unitOrders } from '../../lib/tables/strategies.ts'

/** The account kinds that add up to the balance: `owed` is negative, strategies count at cost. */
const IN_BALANCE = ['available', 'held', 'allocating', 'invested', 'owed'] as const
type Kind = (typeof IN_BALANCE)[number]

/** An investor's balances at a moment, in cents. `owed` is negative for a debt. */
export type Balances = Readonly<Record<Kind, number>>

export const ZERO_BALANCES: Balances = { available: 0, held: 0, allocating: 0, invested: 0, owed: 0 }

export function sumBalance(balances: Balances): number {
  return sum(IN_BALANCE.map((kind) => balances[kind]))
}

/** How much an entry changes the balance: zero if both accounts are part of it. */
export function computeChange({ amount, fromKind, toKind }: EntryRow): number {
  const countInBalance = (kind: string) => Number((IN_BALANCE as readonly string[]).includes(kind))
  return amount * (countInBalance(toKind) - countInBalance(fromKind))
}

/** The balances after an entry. */
export function applyEntry(before: Balances, row: EntryRow): Balances {
  const computeKindChange = (kind: Kind) =>
    row.amount * (Number(row.toKind === kind) - Number(row.fromKind === kind))
  return mapKinds((kind) => before[kind] + computeKindChange(kind))
}

/** Transfers under a condition, in cents, with the kinds of both accounts. */
export function readEntries(where: SQL) {
  const { seq, at, amount, code, ref, fromAccount, toAccount } = transfers
  return selectRows({
    ...{ seq, at, amount },
    code: sql<EntryCode>`${code}`,
    ref: sql<string | null>`coalesce(${requests.ref}, ${unitOrders.ref})`,
    fromKind: selectKind(sql`${fromAccount}`),
    toKind: selectKind(sql`${toAccount}`),
  })
    .from(transfers)
    .leftJoin(requests, eq(requests.id, ref))
    .leftJoin(unitOrders, eq(unitOrders.id, ref))
    .where(where)
}

export type EntryRow = RowOf<typeof readEntries>

/** SQL: the kind in an account's id, `owner:kind` or `owner:kind:subject`. Two rows less to read for each entry. */
function selectKind(id: SQL): SQL<string> {
  const rest = sql`substr(${id}, instr(${id}, ':') + 1)`
  return sql<string>`substr(${rest}, 1, instr(${rest} || ':', ':') - 1)`
}

/** SQL: transfers of an owner. Matches the leading column of the index `transfers_by_owner`. */
export function matchOwner(owner: string): SQL {
  return sql`substr(from_account, 1, instr(from_account, ':') - 1) = ${owner}`
}

/** An investor's balances before a moment (epoch milliseconds), in cents: those of the next checkpoint, less the entries between. */
export function readBalancesBefore(owner: string, atMs: number) {
  const next = selectCheckpoint(owner, atMs)
  return selectRows(mapKinds((kind) => sql<number>`coalesce(sum(${sql.raw(kind)}), 0)`)).from(sql`(
    SELECT ${sql.raw(IN_BALANCE.join(', '))} FROM (${next})
    UNION ALL
    SELECT ${sql.raw(IN_BALANCE.map((kind) => `-c.${kind}`).join(', '))} FROM (${next}) n CROSS JOIN balance_changes c
    WHERE c.owner = ${owner} AND c.at >= ${atMs} AND (c.at, c.seq) < (n.at, n.seq))`)
}

/** The state at the end of the last day with entries before a day. */
export type DayEnd = RowOf<typeof readDayEnds>

/**
 * The balances before each day with entries, from a day's first millisecond on, and the current ones, oldest first. The first entry
 * of a day has a checkpoint, so this reads a row or two a day.
 */
export function readDayEnds(owner: string, fromMs: number) {
  return (
    selectRows({
      /** Epoch milliseconds of the next entry, which is on a later day. */
      before: sql<number>`at`,
      /** The balance, in cents. */
      balance: sql<number>`${sql.raw(IN_BALANCE.join(' + '))}`,
      /** All that came from outside until then, in cents: money paid in and bonuses, less money paid out. */
      paidIn: sql<number>`net_paid_in`,
    })
      // A literal, because a bound number would be REAL and make the division fractional.
      .from(sql`(WITH RECURSIVE ends AS (
      SELECT * FROM (${selectCheckpoint(owner, fromMs)})
      UNION ALL
      SELECT n.* FROM ends e JOIN balance_checkpoints n ON n.owner = e.owner AND (n.at, n.seq) = (
        SELECT f.at, f.seq FROM balance_checkpoints f
        WHERE f.owner = e.owner AND f.at >= (e.at / ${DAY_MS_SQL} + 1) * ${DAY_MS_SQL} ORDER BY f.at, f.seq LIMIT 1))
    SELECT * FROM ends)`)
      .orderBy(sql`at`)
  )
}

/** SQL: an owner's first checkpoint from a time on (epoch milliseconds). */
function selectCheckpoint(owner: string, atMs: number): SQL {
  return sql`SELECT * FROM balance_checkpoints WHERE owner = ${owner} AND at >= ${atMs} ORDER BY at, seq LIMIT 1`
}

function mapKinds<Value>(getValue: (kind: Kind) => Value): Record<Kind, Value> {
  return Object.fromEntries(IN_BALANCE.map((kind) => [kind, getValue(kind)])) as Record<Kind, Value>
}

/** An entry as the API returns it. `change` in cents; by default that of the balance. */
export function toLedgerEntry(row: EntryRow, change = computeChange(row)): LedgerEntry {
  return {
    _id: String(row.seq),
    at: toIso(row.at),
    ref: row.ref,
    code: row.code,
    amount: toUsd(row.amount),
    change: toUsd(change),
  }
}
