import { count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { OrderFiled, OrderKind, UnitOrder } from '../../../src/contract/investing/allocations.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { isKey } from '../../http/actor.ts'
import { type Answer, created, type ReaderCall } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { type Database, type RowOf, selectRows } from '../../lib/database.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { unitMovements } from '../../lib/tables/ledger.ts'
import { requests } from '../../lib/tables/requests.ts'
import { strategies, unitOrders } from '../../lib/tables/strategies.ts'
import { getMarket } from '../candles/markets.ts'
import { describeOnward } from './onwardWithdrawals.ts'

export type OrderRow = RowOf<typeof readOrders>

const o = alias(unitOrders, 'o')
const s = alias(strategies, 's')
const m = alias(unitMovements, 'm')
const w = alias(requests, 'w')

/** What decides whether an order can be cancelled. `recovers` is the reversed deposit or bonus whose money it brings back. */
const CANCELLABLE = {
  ...{ id: o.id, ref: o.ref, kind: o.kind, strategy: o.strategy, cents: o.cents, status: o.status },
  ...{ createdAt: o.createdAt, recovers: o.recovers },
  /** Whether its strategy takes new money. */
  isTaking: sql<0 | 1>`(SELECT status = 'active' FROM strategies WHERE slug = o.strategy)`,
}

/** At most 20 orders `o` under a condition, those first that wait. */
export function readCancellable(db: Database, where: SQL) {
  return db
    .select(CANCELLABLE)
    .from(o)
    .where(where)
    .orderBy(sql`o.status = 'pending' DESC, o.seq DESC`)
    .limit(20)
}

/** Reads orders `o` under a condition, newest first. */
export function readOrders(where: SQL, limit: number) {
  return selectRows({
    ...CANCELLABLE,
    ...{ seq: o.seq, market: s.market, decidedAt: o.decidedAt },
    ...{ onward: o.onward, onwardAt: o.onwardAt, withdrawal: w.ref },
    /** The day of the open that prices it, once that is fixed. */
    pricedDay: sql<number | null>`coalesce(o.day, CASE o.status WHEN 'pending' THEN (
      SELECT min(v.day) FROM valuations v
      WHERE v.strategy = o.strategy AND v.day > o.created_at AND v.kind = 'open') END)`,
    ...{ units: m.units, price: m.price, settledCents: m.cents, cost: m.cost },
    plan: sql<string | null>`(SELECT plan FROM plan_runs WHERE unit_order = o.id)`,
    isOfStop: sql<0 | 1>`EXISTS (SELECT 1 FROM position_stops WHERE unit_order = o.id)`,
    forfeitedCents: sql<number | null>`(SELECT amount FROM transfers WHERE ref = o.id AND code = 'forfeit')`,
  })
    .from(o)
    .innerJoin(s, eq(s.slug, o.strategy))
    .leftJoin(m, eq(m.ref, o.id))
    .leftJoin(w, eq(w.id, o.withdrawal))
    .where(where)
    .orderBy(desc(o.seq))
    .limit(limit)
}

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

/** An order as its reader sees it. Where its proceeds go, and its plan, are withheld from keys. */
export function toUnitOrder(row: OrderRow, { actor, nowMs }: Pick<ReaderCall, 'actor' | 'nowMs'>): UnitOrder {
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
    thenWithdraw: row.onward === null || isKey(actor) ? null : describeOnward(row.onward),
    withdrawal: row.withdrawal,
    stayed: row.onwardAt !== null && row.withdrawal === null,
    plan: isKey(actor) ? null : row.plan,
    isOfStop: row.isOfStop === 1,
  }
}

/** At most 20. */
export function countPending(investor: string, kind: OrderKind) {
  return selectRows({ count: count() })
    .from(unitOrders)
    .where(sql`investor = ${investor} AND kind = ${kind} AND status = 'pending'`)
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
