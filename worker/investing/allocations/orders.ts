import { type SQL, sql } from 'drizzle-orm'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { OrderFiled, OrderKind, UnitOrder } from '../../../src/contract/investing/allocations.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, created } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildQuery, type RowQuery } from '../../lib/database.ts'
import { getMarket } from '../candles/markets.ts'
import { getStrategyName } from '../trading/notices.ts'
import { describeOnward } from './onwardWithdrawals.ts'

export interface OrderRow {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly kind: 'allocate' | 'redeem'
  readonly strategy: string
  readonly market: string
  readonly cents: number | null
  readonly status: 'pending' | 'settled' | 'cancelled'
  readonly isTaking: 0 | 1
  readonly createdAt: number
  readonly decidedAt: number | null
  readonly onward: string | null
  readonly onwardAt: number | null
  readonly withdrawal: string | null
  /** The day of the open that prices it, once that is fixed. */
  readonly pricedDay: number | null
  readonly units: number | null
  readonly price: number | null
  readonly settledCents: number | null
  readonly cost: number | null
  readonly forfeitedCents: number | null
  /** The reversed deposit or bonus whose money it brings back; null for an order of the investor. */
  readonly recovers: string | null
}

/** Reads orders. `which` filters, orders and limits them by the columns of `o`. */
export function readOrders(which: SQL): RowQuery<OrderRow> {
  return buildQuery<OrderRow>(sql`
    SELECT o.seq, o.id, o.ref, o.kind, o.strategy, s.market, o.cents, o.status, ${IS_TAKING}, o.created_at AS createdAt,
           o.decided_at AS decidedAt, o.onward, o.onward_at AS onwardAt, w.ref AS withdrawal,
           coalesce(o.day, CASE o.status WHEN 'pending' THEN (
             SELECT min(v.day) FROM valuations v
             WHERE v.strategy = o.strategy AND v.day > o.created_at AND v.kind = 'open') END) AS pricedDay,
           m.units, m.price, m.cents AS settledCents, m.cost, o.recovers,
           (SELECT amount FROM transfers WHERE ref = o.id AND code = 'forfeit') AS forfeitedCents
    FROM unit_orders o JOIN strategies s ON s.slug = o.strategy
      LEFT JOIN unit_movements m ON m.ref = o.id LEFT JOIN requests w ON w.id = o.withdrawal
    ${which}`)
}

/** SQL: whether the strategy of the order `o` takes new money. */
export const IS_TAKING: SQL = sql`
  (SELECT s.status = 'active' FROM strategies s WHERE s.slug = o.strategy) AS isTaking`

/** The open that prices an order filed now: the next 00:00 UTC. */
export function computeNextValuation(atMs: number): number {
  return (Math.floor(atMs / DAY_MS) + 1) * DAY_MS
}

/**
 * Whether an order can still be cancelled: until its open, because the price is known then. An allocation that its strategy
 * no longer takes has no price, so it can always be cancelled. An order that recovers reversed money cannot.
 */
export function isCancellable(
  {
    status,
    kind,
    createdAt,
    isTaking,
    recovers,
  }: Pick<OrderRow, 'status' | 'kind' | 'createdAt' | 'isTaking' | 'recovers'>,
  nowMs: number,
): boolean {
  const isInTime = nowMs < computeNextValuation(createdAt) || (kind === 'allocate' && isTaking === 0)
  return status === 'pending' && isInTime && recovers === null
}

/** An order as its owner sees it. */
export function toUnitOrder(row: OrderRow, nowMs: number): UnitOrder {
  const { kind, units, price, settledCents, cost } = row
  const isSettled = units !== null && price !== null && settledCents !== null && cost !== null
  return {
    _id: row.id,
    ref: row.ref,
    kind,
    strategy: row.strategy,
    name: getStrategyName(row.strategy),
    market: getMarket(row.market),
    status: row.status,
    amount: row.cents === null ? null : toUsd(row.cents),
    createdAt: toIso(row.createdAt),
    pricedAt: toIso(row.pricedDay ?? computeNextValuation(row.createdAt)),
    cancellable: isCancellable(row, nowMs) && row.pricedDay === null,
    settled: isSettled
      ? {
          at: toIso(row.decidedAt ?? row.createdAt),
          units: Math.abs(units) / 1e6,
          unitPrice: price / 1e6,
          amount: toUsd(settledCents),
          profit: kind === 'redeem' ? toUsd(settledCents - cost) : null,
          forfeited: toUsd(row.forfeitedCents ?? 0),
        }
      : null,
    thenWithdraw: row.onward === null ? null : describeOnward(row.onward),
    withdrawal: row.withdrawal,
    stayed: row.onwardAt !== null && row.withdrawal === null,
  }
}

/** At most 20. */
export function countPending(investor: string, kind: OrderKind): RowQuery<{ count: number }> {
  return buildQuery<{ count: number }>(
    sql`SELECT count(*) AS count FROM unit_orders WHERE investor = ${investor} AND kind = ${kind} AND status = 'pending'`,
  )
}

/** The answer to a filed order. `what` begins the sentence. */
export function buildFiledAnswer(
  { id, ref }: { readonly id: string; readonly ref: string },
  what: string,
  pricedAtMs: number,
): Answer<OrderFiled> {
  return created({
    msg: `${what} is priced on ${mailDateText(pricedAtMs)}. You can cancel it until then.`,
    ref,
    _id: id,
    pricedAt: toIso(pricedAtMs),
  })
}
