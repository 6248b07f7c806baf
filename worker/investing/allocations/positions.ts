import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { REFUSALS } from '../../../src/contract/errors.ts'
import type { Position, PositionStop } from '../../../src/contract/investing/allocations.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { toIso } from '../../http/paging.ts'
import {
  d,
  getLastValuation,
  getLatestPrice,
  IS_DISPLAYED,
  IS_NEWEST,
  LATEST_FIELDS,
  s,
  v,
} from '../../ledger/latestPrice.ts'
import { computeAverageCost, valueCents } from '../../ledger/units.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { accounts, positions, unitMovements } from '../../lib/tables/ledger.ts'
import { positionStops } from '../../lib/tables/strategies.ts'
import { getMarket } from '../candles/markets.ts'
import { computePerformance, type PricedMovement } from './performance.ts'

/** An investor's position in one strategy. Units in millionths, money in cents. */
export type PositionRow = RowOf<typeof readPositions>

/**
 * An investor's position in the strategies that `which` selects by the columns of `s`, also without units or orders. At
 * most 20 orders are pending.
 */
export function readPositions(investor: string, which: SQL = sql`1`) {
  const [p, a, t] = [alias(positions, 'p'), alias(accounts, 'a'), alias(positionStops, 't')]
  const selectPendingOrders = (kind: 'allocate' | 'redeem') => sql`
    FROM unit_orders o WHERE o.investor = ${investor} AND o.strategy = s.slug AND o.kind = ${kind} AND o.status = 'pending'`
  return selectRows({
    ...{ slug: s.slug, market: s.market, minimum: s.minimum, status: s.status },
    /** The exchange where the strategy trades with money. Null: it trades on paper. */
    venue: sql<string | null>`(SELECT venue FROM venue_strategies WHERE strategy = s.slug)`,
    ...LATEST_FIELDS,
    units: sql<number>`coalesce(p.units, 0)`,
    cost: sql<number>`coalesce(p.cost, 0)`,
    /** Micro-USD for one unit. */
    highWater: sql<number>`coalesce(p.high_water, 0)`,
    result: sql<number>`coalesce(a.balance, 0)`,
    pendingIn: sql<number>`(SELECT coalesce(sum(o.cents), 0) ${selectPendingOrders('allocate')})`,
    /** Requested redemptions, except an order for all. */
    pendingOut: sql<number>`(SELECT coalesce(sum(o.cents), 0) ${selectPendingOrders('redeem')})`,
    isAllAsked: sql<0 | 1>`EXISTS (SELECT 1 ${selectPendingOrders('redeem')} AND o.cents IS NULL)`,
    orders: sql<0 | 1>`p.investor IS NOT NULL OR EXISTS (
      SELECT 1 FROM unit_orders o WHERE o.investor = ${investor} AND o.strategy = s.slug)`,
    /** The days of the first and the last movement; null before the first. */
    firstDay: sql<
      number | null
    >`(SELECT m.day FROM unit_movements m WHERE m.investor = ${investor} AND m.strategy = s.slug
      ORDER BY m.seq LIMIT 1)`,
    lastDay: sql<number | null>`(SELECT m.day FROM unit_movements m WHERE m.seq = p.last_movement)`,
    ...{ stopPercent: t.percent, stopSetAt: t.changedAt, stopRefused: t.refused, stopRefusedAt: t.refusedAt },
  })
    .from(s)
    .leftJoin(p, and(eq(p.investor, investor), eq(p.strategy, s.slug)))
    .leftJoin(a, sql`a.owner = ${investor} AND a.kind = 'result' AND a.subject = s.slug`)
    .leftJoin(t, sql`t.investor = ${investor} AND t.strategy = s.slug AND t.status = 'active'`)
    .leftJoin(d, IS_DISPLAYED)
    .leftJoin(v, IS_NEWEST)
    .where(which)
    .orderBy(s.slug)
}

/** The value of an investor's units at the newest price, in cents. */
export function valueCentsAtLatestPrice(row: PositionRow): number {
  return valueCents(row.units, getLatestPrice(row).unitPrice)
}

/**
 * The value by the last valuation, which is stable for a day, in cents. Pending allocations count, since they are settled
 * before a redemption of everything filed now.
 */
export function valueCentsAtLastValuation(row: PositionRow): number {
  return valueCents(row.units, getLastValuation(row).unitPrice) + row.pendingIn
}

/** Returns are not computed for more movements than this. */
const MOST_MOVEMENTS = 500

type MovedRow = RowOf<typeof readMovements>

/** Movements of units, newest first in each strategy: `MOST_MOVEMENTS` and one more. */
export function readMovements(investor: string, which: SQL = sql`1`) {
  const m = alias(unitMovements, 'm')
  const { strategy, code, units, cents, day, seq } = m
  return selectRows({ strategy, code, units, cents, day, unitPrice: v.unitPrice })
    .from(m)
    .innerJoin(v, sql`v.strategy = m.strategy AND v.day = m.day AND v.kind = 'open'`)
    .where(sql`m.investor = ${investor} AND ${which}`)
    .orderBy(desc(strategy), desc(seq))
    .limit(MOST_MOVEMENTS + 1)
}

/** A position as its owner sees it. `moved` are the movements of all positions. */
export async function buildPosition(
  investor: string,
  row: PositionRow,
  moved: readonly MovedRow[],
): Promise<Position> {
  const { unitPrice, atMs } = getLatestPrice(row)
  const value = valueCentsAtLatestPrice(row)
  const all = listStrategyMovements(moved, row.slug)
  const [first, last] = [row.firstDay, row.units === 0 ? row.lastDay : null]
  return {
    _id: await derivePositionId(investor, row.slug),
    strategy: row.slug,
    name: getStrategyName(row.slug),
    market: getMarket(row.market),
    units: row.units / 1e6,
    cost: toUsd(row.cost),
    value: toUsd(value),
    valued: toUsd(valueCentsAtLastValuation(row)),
    profit: toUsd(value - row.cost),
    pendingIn: toUsd(row.pendingIn),
    pendingOut: toUsd(row.isAllAsked === 1 ? value : Math.min(row.pendingOut, value)),
    unitPrice: unitPrice / 1e6,
    at: toIso(atMs),
    // The books count a loss as money that went to the result account.
    realised: toUsd(-row.result),
    fees: all && toUsd(sumMovementCents(all, 'fee')),
    putIn: all && toUsd(sumMovementCents(all, 'issue')),
    takenOut: all && toUsd(sumMovementCents(all, 'redeem')),
    from: first === null ? null : formatIsoDay(first),
    to: last === null ? null : formatIsoDay(last),
    highWater: row.units > 0 ? row.highWater / 1e6 : null,
    ...computePerformance(all ?? [], { unitPrice, atMs }),
    stop: describeStop(row),
  }
}

/** The active stop of a position as its owner sees it; null for none. */
export function describeStop(row: PositionRow): PositionStop | null {
  const { stopPercent, stopSetAt, stopRefused, stopRefusedAt } = row
  if (stopPercent === null || stopSetAt === null || row.units === 0) return null
  return {
    percent: stopPercent,
    price: computeAverageCost(row.cost, row.units, stopPercent) / 1e6,
    setAt: toIso(stopSetAt),
    refused:
      stopRefused === null || stopRefusedAt === null
        ? null
        : { at: toIso(stopRefusedAt), reason: REFUSALS[stopRefused][1] },
  }
}

/** The movements in one strategy, oldest first; null if there are more than were read. */
export function listStrategyMovements(
  moved: readonly MovedRow[],
  strategy: string,
): readonly PricedMovement[] | null {
  if (moved.length > MOST_MOVEMENTS) return null
  return moved.filter((movement) => movement.strategy === strategy).reverse()
}

/** In cents. */
function sumMovementCents(moved: readonly PricedMovement[], kind: PricedMovement['code']): number {
  return sum(moved.map(({ code, cents }) => (code === kind ? cents : 0)))
}

/**
 * A position's id: the slug and a hash that tells investors apart. It is no secret: everybody is only shown their own
 * positions.
 */
async function derivePositionId(investor: string, strategy: string): Promise<string> {
  return `${strategy}.${(await sha256Hex(`position\n${investor}\n${strategy}`)).slice(0, 20)}`
}

/** The strategy of the investor's own position id; null for anything else. */
export async function findPositionStrategy(investor: string, id: string): Promise<string | null> {
  const [, strategy] = /^([a-z0-9-]{1,60})\.[0-9a-f]{20}$/.exec(id) ?? []
  return strategy !== undefined && id === (await derivePositionId(investor, strategy)) ? strategy : null
}
