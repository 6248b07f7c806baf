import { type SQL, sql } from 'drizzle-orm'
import type { Position } from '../../../src/contract/investing/allocations.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import {
  LATEST_COLUMNS,
  LATEST_JOINS,
  lastValuationOf,
  latestPriceOf,
  type PriceColumns,
} from '../../ledger/latestPrice.ts'
import { valueCents } from '../../ledger/units.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { type Read, reading } from '../../lib/database.ts'
import { isoDay } from '../../lib/days.ts'
import { marketOf } from '../candles/markets.ts'
import { strategyName } from '../trading/notices.ts'
import { type Moved, performanceOf } from './performance.ts'

/** An investor's position in one strategy. Units in millionths, money in cents. */
export interface PositionRow extends PriceColumns {
  readonly slug: string
  readonly market: string
  /** The exchange where the strategy trades with money. Null: it trades on paper. */
  readonly venue: string | null
  readonly minimum: number
  readonly status: 'active' | 'suspended' | 'stopped'
  readonly units: number
  readonly cost: number
  /** Micro-USD for one unit. */
  readonly highWater: number
  readonly result: number
  readonly pendingIn: number
  /** Requested redemptions, except an order for all. */
  readonly pendingOut: number
  readonly isAllAsked: 0 | 1
  readonly orders: 0 | 1
  /** The days of the first and the last movement; null before the first. */
  readonly firstDay: number | null
  readonly lastDay: number | null
}

/**
 * An investor's position in the strategies that `which` selects by the columns of `s`, also without units or orders. At
 * most 20 orders are pending.
 */
export function readPositions(investor: string, which: SQL = sql`1`): Read<PositionRow> {
  const pending = (kind: 'allocate' | 'redeem') => sql`
    FROM unit_orders o WHERE o.investor = ${investor} AND o.strategy = s.slug AND o.kind = ${kind} AND o.status = 'pending'`
  return reading<PositionRow>(sql`
    SELECT s.slug, s.market, (SELECT venue FROM venue_strategies WHERE strategy = s.slug) AS venue, s.minimum, s.status,
           ${LATEST_COLUMNS},
           coalesce(p.units, 0) AS units, coalesce(p.cost, 0) AS cost, coalesce(p.high_water, 0) AS highWater,
           coalesce(a.balance, 0) AS result,
           (SELECT coalesce(sum(o.cents), 0) ${pending('allocate')}) AS pendingIn,
           (SELECT coalesce(sum(o.cents), 0) ${pending('redeem')}) AS pendingOut,
           EXISTS (SELECT 1 ${pending('redeem')} AND o.cents IS NULL) AS isAllAsked,
           p.investor IS NOT NULL OR EXISTS (
             SELECT 1 FROM unit_orders o WHERE o.investor = ${investor} AND o.strategy = s.slug) AS orders,
           (SELECT m.day FROM unit_movements m WHERE m.investor = ${investor} AND m.strategy = s.slug
             ORDER BY m.seq LIMIT 1) AS firstDay,
           (SELECT m.day FROM unit_movements m WHERE m.seq = p.last_movement) AS lastDay
    FROM strategies s
    LEFT JOIN positions p ON p.investor = ${investor} AND p.strategy = s.slug
    LEFT JOIN accounts a ON a.owner = ${investor} AND a.kind = 'result' AND a.subject = s.slug
    ${LATEST_JOINS}
    WHERE ${which} ORDER BY s.slug`)
}

/** The value of an investor's units at the newest price, in cents. */
export function worthCents(row: PositionRow): number {
  return valueCents(row.units, latestPriceOf(row).unitPrice)
}

/**
 * The value by the last valuation, which is stable for a day, in cents. Pending allocations count, since they are settled
 * before a redemption of everything filed now.
 */
export function valuedCents(row: PositionRow): number {
  return valueCents(row.units, lastValuationOf(row).unitPrice) + row.pendingIn
}

/** Returns are not computed for more movements than this. */
const MOST_MOVEMENTS = 500

interface MovedRow extends Moved {
  readonly strategy: string
}

/** Movements of units, newest first in each strategy: `MOST_MOVEMENTS` and one more. */
export function readMovements(investor: string, which: SQL = sql`1`): Read<MovedRow> {
  return reading<MovedRow>(sql`
    SELECT m.strategy, m.code, m.units, m.cents, m.day, v.unit_price AS unitPrice
    FROM unit_movements m JOIN valuations v ON v.strategy = m.strategy AND v.day = m.day AND v.kind = 'open'
    WHERE m.investor = ${investor} AND ${which} ORDER BY m.strategy DESC, m.seq DESC LIMIT ${MOST_MOVEMENTS + 1}`)
}

/** A position as its owner sees it. `moved` are the movements of all positions. */
export async function positionOf(
  investor: string,
  row: PositionRow,
  moved: readonly MovedRow[],
): Promise<Position> {
  const { unitPrice, atMs } = latestPriceOf(row)
  const value = worthCents(row)
  const all = movementsOf(moved, row.slug)
  const [first, last] = [row.firstDay, row.units === 0 ? row.lastDay : null]
  return {
    _id: await positionId(investor, row.slug),
    strategy: row.slug,
    name: strategyName(row.slug),
    market: marketOf(row.market),
    units: row.units / 1e6,
    cost: usdOf(row.cost),
    value: usdOf(value),
    valued: usdOf(valuedCents(row)),
    profit: usdOf(value - row.cost),
    pendingIn: usdOf(row.pendingIn),
    pendingOut: usdOf(row.isAllAsked === 1 ? value : Math.min(row.pendingOut, value)),
    unitPrice: unitPrice / 1e6,
    at: iso(atMs),
    // The books count a loss as money that went to the result account.
    realised: usdOf(-row.result),
    fees: all && usdOf(sumOf(all, 'fee')),
    putIn: all && usdOf(sumOf(all, 'issue')),
    takenOut: all && usdOf(sumOf(all, 'redeem')),
    from: first === null ? null : isoDay(first),
    to: last === null ? null : isoDay(last),
    highWater: row.units > 0 ? row.highWater / 1e6 : null,
    ...performanceOf(all ?? [], { unitPrice, atMs }),
  }
}

/** The movements in one strategy, oldest first; null if there are more than were read. */
export function movementsOf(moved: readonly MovedRow[], strategy: string): readonly Moved[] | null {
  if (moved.length > MOST_MOVEMENTS) return null
  return moved.filter((each) => each.strategy === strategy).reverse()
}

/** In cents. */
function sumOf(moved: readonly Moved[], kind: Moved['code']): number {
  return moved.reduce((sum, { code, cents }) => sum + (code === kind ? cents : 0), 0)
}

/**
 * A position's id: the slug and a hash that tells investors apart. It is no secret: everybody is only shown their own
 * positions.
 */
async function positionId(investor: string, strategy: string): Promise<string> {
  return `${strategy}.${(await sha256Hex(`position\n${investor}\n${strategy}`)).slice(0, 20)}`
}

/** The strategy of the investor's own position id; null for anything else. */
export async function strategyOfId(investor: string, id: string): Promise<string | null> {
  const [, strategy] = /^([a-z0-9-]{1,60})\.[0-9a-f]{20}$/.exec(id) ?? []
  return strategy !== undefined && id === (await positionId(investor, strategy)) ? strategy : null
}
