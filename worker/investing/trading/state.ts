import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Definition } from '../../../engine/definition.ts'
import type { Holding } from '../../ledger/strategies.ts'
import { type Database, parseStored, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import { pools, positions, unitMovements } from '../../lib/tables/ledger.ts'
import { poolOrders, strategies, unitOrders, valuations } from '../../lib/tables/strategies.ts'
import { venueStrategies } from '../../lib/tables/venues.ts'
import type { WaitingOrder } from './settlement.ts'
import { storedDefinition, storedShares } from './stored.ts'

/** A strategy with its pool, from the database. */
export interface Pool {
  readonly slug: string
  readonly definition: Definition
  readonly hash: string
  readonly market: string
  /** The exchange where it trades with money. Null: it trades on paper. */
  readonly venue: string | null
  readonly status: 'active' | 'suspended' | 'stopped'
  readonly startedAt: number
  readonly cash: number
  readonly units: number
  /** Orders of investors wait. */
  readonly hasOrders: 0 | 1
  /** 10⁻⁸ of each asset, in the order of the definition. */
  readonly quantity: readonly number[]
  readonly latest: Latest | null
}

/** The newest valuation, and whether its step is done. */
export interface Latest {
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly hash: string
  /** JSON: each asset's share of the model before it traded. Empty while it was all cash. */
  readonly weights: string
  /** Whether the pool follows the model after this day's open, or holds only cash. */
  readonly follows: number
  readonly isDone: 0 | 1
}

/** An order to the broker. */
export interface PoolOrder {
  readonly id: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  /** It has ended: on paper with its fill, at an exchange when no more of it can be filled. */
  readonly isFilled: 0 | 1
}

/** Everything that one step reads besides its pool. */
export interface StepBooks {
  readonly orders: readonly WaitingOrder[]
  readonly holdings: ReadonlyMap<string, Holding>
  readonly placed: readonly PoolOrder[]
  /** Micro-USD. */
  readonly cash: number
  /** Something of this day was settled, so its trades are done. */
  readonly isSettling: boolean
}

/** A strategy's progress. It shows whether anything is due. */
export type Progress = Pick<Pool, 'slug' | 'startedAt' | 'latest'>

/** Every strategy, in a fixed order. Stopped strategies are included, because their units can still be redeemed. */
export async function readProgress(db: Database): Promise<Progress[]> {
  return await db
    .select({ slug: s.slug, startedAt: s.startedAt, latest: LATEST })
    .from(s)
    .leftJoin(v, IS_LATEST)
    .orderBy(s.slug)
}

export async function readPool(db: Database, slug: string): Promise<Pool> {
  const [pool] = await readPools(db, sql`s.slug = ${slug}`)
  if (pool === undefined) throw new Error('There is no such strategy')
  return pool
}

/** The strategies `s` that meet a condition, with their newest valuations. In a fixed order, in one round trip. */
export async function readPools(db: Database, condition: SQL): Promise<Pool[]> {
  const rows = await db
    .select({
      ...{ slug: s.slug, hash: s.hash, market: s.market, status: s.status, startedAt: s.startedAt },
      ...{ definition: s.definition, cash: p.cash, units: p.units, venue: venueStrategies.venue },
      hasOrders: sql<
        0 | 1
      >`EXISTS (SELECT 1 FROM unit_orders WHERE strategy = s.slug AND status = 'pending')`,
      holdings: sql<string>`(
        SELECT json_group_object(asset, quantity) FROM pool_holdings WHERE strategy = s.slug)`,
      latest: LATEST,
    })
    .from(s)
    .innerJoin(p, eq(p.strategy, s.slug))
    .leftJoin(venueStrategies, eq(venueStrategies.strategy, s.slug))
    .leftJoin(v, IS_LATEST)
    .where(condition)
    .orderBy(s.slug)
  return rows.map(({ holdings, ...row }) => {
    const definition = parseStored(storedDefinition, row.definition)
    const quantities = parseStored(storedShares, holdings)
    return { ...row, definition, quantity: definition.assets.map((asset) => quantities[asset] ?? 0) }
  })
}

const s = alias(strategies, 's')
const p = alias(pools, 'p')
const v = alias(valuations, 'v')

/** Null without any valuation. */
const LATEST = {
  ...{
    day: v.day,
    kind: v.kind,
    unitPrice: v.unitPrice,
    issuePrice: v.issuePrice,
    redeemPrice: v.redeemPrice,
  },
  ...{ hash: v.hash, weights: v.weights, follows: v.follows },
  isDone: sql<0 | 1>`EXISTS (SELECT 1 FROM pool_steps d WHERE d.strategy = v.strategy AND d.day = v.day)`,
}

const IS_LATEST = sql`v.strategy = s.slug AND (v.day, v.kind) = (
  SELECT day, kind FROM valuations WHERE strategy = s.slug ORDER BY day DESC, kind LIMIT 1)`

/**
 * Reads a day's pending orders, oldest first, the holdings of their investors (or of everybody, if `isEverybody`), and the day's
 * progress. One round trip, because another run may be working on the same day.
 */
export async function readStep(
  db: Database,
  slug: string,
  day: number,
  isEverybody: boolean,
): Promise<StepBooks> {
  const o = alias(poolOrders, 'o')
  const isWaiting = sql`strategy = ${slug} AND status = 'pending' AND created_at < ${day}`
  const [orders, holdings, placed, [pool]] = await readTogether(
    db,
    selectRows({
      ...{ id: unitOrders.id, investor: unitOrders.investor, kind: unitOrders.kind, cents: unitOrders.cents },
      owes: sql<0 | 1>`EXISTS (SELECT 1 FROM accounts a WHERE a.id = investor || ':owed' AND a.balance < 0)`,
    })
      .from(unitOrders)
      .where(isWaiting)
      .orderBy(unitOrders.seq),
    selectRows({
      ...{ investor: positions.investor, units: positions.units },
      ...{ cost: positions.cost, highWater: positions.highWater },
    })
      .from(positions)
      .where(sql`strategy = ${slug} AND units > 0
        AND (${isEverybody} OR investor IN (SELECT investor FROM unit_orders WHERE ${isWaiting}))`)
      .orderBy(positions.investor),
    selectRows({
      ...{ id: o.id, asset: o.asset, side: o.side, quantity: o.quantity },
      isFilled: sql<0 | 1>`CASE WHEN EXISTS (SELECT 1 FROM venue_strategies v WHERE v.strategy = o.strategy)
        THEN EXISTS (SELECT 1 FROM pool_order_ends e WHERE e.pool_order = o.id)
        ELSE EXISTS (SELECT 1 FROM pool_fills f WHERE f.pool_order = o.id) END`,
    })
      .from(o)
      .where(and(eq(o.strategy, slug), eq(o.day, day)))
      .orderBy(o.seq),
    selectRows({
      cash: pools.cash,
      settledDay: sql<number | null>`(
        SELECT day FROM unit_movements WHERE strategy = ${slug} ORDER BY seq DESC LIMIT 1)`,
    })
      .from(pools)
      .where(eq(pools.strategy, slug)),
  )
  return {
    orders,
    holdings: new Map(holdings.map(({ investor, ...holding }) => [investor, holding])),
    placed,
    cash: pool?.cash ?? 0,
    isSettling: pool?.settledDay === day,
  }
}

/** Changes with everything that a step changes. It shows whether another run has continued the strategy meanwhile. */
export async function readVersion(db: Database, slug: string): Promise<string> {
  const [[row]] = await readTogether(
    db,
    selectValues({
      version: sql<string>`json_array(
        (SELECT last_entry FROM pools WHERE strategy = ${slug}),
        (SELECT hash FROM valuations WHERE strategy = ${slug} ORDER BY day DESC, kind LIMIT 1),
        (SELECT max(day) FROM pool_steps WHERE strategy = ${slug}),
        (SELECT seq FROM pool_orders WHERE strategy = ${slug} ORDER BY day DESC, seq DESC LIMIT 1),
        (SELECT count(*) FROM unit_orders WHERE strategy = ${slug} AND status = 'pending'))`,
    }),
  )
  return row?.version ?? ''
}

/** The movements of units on a day, by kind. Only the newest movements are read: none is from a later day. */
export function selectFlows(slug: string, day: number) {
  return selectRows({
    code: unitMovements.code,
    count: sql<number>`count(*)`,
    units: sql<number>`sum(units)`,
    cents: sql<number>`sum(cents)`,
    price: sql<number>`max(price)`,
  })
    .from(unitMovements)
    .where(sql`strategy = ${slug} AND seq > coalesce((
      SELECT max(seq) FROM unit_movements WHERE strategy = ${slug} AND day < ${day}), 0) AND day = ${day}`)
    .groupBy(unitMovements.code)
    .orderBy(unitMovements.code)
}
