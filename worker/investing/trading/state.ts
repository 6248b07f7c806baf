import { type SQL, sql } from 'drizzle-orm'
import type { Definition } from '../../../engine/definition.ts'
import type { Holding } from '../../ledger/strategies.ts'
import { buildQuery, type Database, readTogether } from '../../lib/database.ts'
import type { WaitingOrder } from './settlement.ts'

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
  readonly follows: 0 | 1
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
  const rows = await db.all<LatestRow & { slug: string; startedAt: number }>(sql`
      SELECT s.slug, s.started_at AS startedAt, ${LATEST} FROM strategies s ${WITH_LATEST} ORDER BY s.slug`)
  return rows.map(({ slug, startedAt, ...row }) => ({ slug, startedAt, latest: toLatestValuation(row) }))
}

export async function readPool(db: Database, slug: string): Promise<Pool> {
  const [pool] = await readPools(db, sql`s.slug = ${slug}`)
  if (pool === undefined) throw new Error('There is no such strategy')
  return pool
}

/** The strategies `s` that meet a condition, with their newest valuations. In a fixed order, in one round trip. */
export async function readPools(db: Database, condition: SQL): Promise<Pool[]> {
  const rows = await db.all<PoolRow & LatestRow>(sql`
      SELECT s.slug, s.definition, s.hash, s.market, s.status, s.started_at AS startedAt, p.cash, p.units,
             (SELECT venue FROM venue_strategies WHERE strategy = s.slug) AS venue,
             EXISTS (SELECT 1 FROM unit_orders WHERE strategy = s.slug AND status = 'pending') AS hasOrders,
             (SELECT json_group_object(asset, quantity) FROM pool_holdings WHERE strategy = s.slug) AS holdings,
             ${LATEST}
      FROM strategies s JOIN pools p ON p.strategy = s.slug ${WITH_LATEST} WHERE ${condition} ORDER BY s.slug`)
  return rows.map(({ slug, hash, market, venue, status, startedAt, cash, units, hasOrders, ...row }) => {
    const definition = JSON.parse(row.definition) as Definition
    const quantities = JSON.parse(row.holdings) as Record<string, number>
    const quantity = definition.assets.map((asset) => quantities[asset] ?? 0)
    return {
      slug,
      hash,
      market,
      venue,
      status,
      startedAt,
      cash,
      units,
      hasOrders,
      definition,
      quantity,
      latest: toLatestValuation(row),
    }
  })
}

interface PoolRow extends Omit<Pool, 'definition' | 'quantity' | 'latest'> {
  readonly definition: string
  readonly holdings: string
}

interface LatestRow extends Omit<Latest, 'hash'> {
  readonly hasLatest: 0 | 1
  readonly latestHash: string
}

const LATEST = sql.raw(`
  v.day IS NOT NULL AS hasLatest, v.day, v.kind, v.unit_price AS unitPrice, v.issue_price AS issuePrice,
  v.redeem_price AS redeemPrice, v.hash AS latestHash, v.weights,
  v.follows,
  EXISTS (SELECT 1 FROM pool_steps p WHERE p.strategy = v.strategy AND p.day = v.day) AS isDone`)

const WITH_LATEST = sql.raw(`
  LEFT JOIN valuations v ON v.strategy = s.slug AND (v.day, v.kind) = (
    SELECT day, kind FROM valuations WHERE strategy = s.slug ORDER BY day DESC, kind LIMIT 1)`)

function toLatestValuation({ hasLatest, latestHash: hash, ...row }: LatestRow): Latest | null {
  const { day, kind, unitPrice, issuePrice, redeemPrice, weights, follows, isDone } = row
  if (hasLatest === 0) return null
  return { day, kind, unitPrice, issuePrice, redeemPrice, hash, weights, follows, isDone }
}

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
  const [orders, holdings, placed, [pool]] = await readTogether(
    db,
    buildQuery<WaitingOrder>(sql`
      SELECT id, investor, kind, cents,
             EXISTS (SELECT 1 FROM accounts a WHERE a.id = investor || ':owed' AND a.balance < 0) AS owes
      FROM unit_orders
      WHERE strategy = ${slug} AND status = 'pending' AND created_at < ${day} ORDER BY seq`),
    buildQuery<Holding & { investor: string }>(sql`
      SELECT investor, units, cost, high_water AS highWater FROM positions
      WHERE strategy = ${slug} AND units > 0 ${
        isEverybody
          ? sql``
          : sql`AND investor IN (
            SELECT investor FROM unit_orders WHERE strategy = ${slug} AND status = 'pending' AND created_at < ${day})`
      } ORDER BY investor`),
    buildQuery<PoolOrder>(sql`
      SELECT o.id, o.asset, o.side, o.quantity,
             CASE WHEN EXISTS (SELECT 1 FROM venue_strategies v WHERE v.strategy = o.strategy)
               THEN EXISTS (SELECT 1 FROM pool_order_ends e WHERE e.pool_order = o.id)
               ELSE EXISTS (SELECT 1 FROM pool_fills f WHERE f.pool_order = o.id) END AS isFilled
      FROM pool_orders o WHERE o.strategy = ${slug} AND o.day = ${day} ORDER BY o.seq`),
    buildQuery<{ cash: number; settledDay: number | null }>(sql`
      SELECT cash, (SELECT day FROM unit_movements WHERE strategy = ${slug} ORDER BY seq DESC LIMIT 1) AS settledDay
      FROM pools WHERE strategy = ${slug}`),
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
  const [row] = await db.all<{ version: string }>(sql`
      SELECT json_array(
        (SELECT last_entry FROM pools WHERE strategy = ${slug}),
        (SELECT hash FROM valuations WHERE strategy = ${slug} ORDER BY day DESC, kind LIMIT 1),
        (SELECT max(day) FROM pool_steps WHERE strategy = ${slug}),
        (SELECT seq FROM pool_orders WHERE strategy = ${slug} ORDER BY day DESC, seq DESC LIMIT 1),
        (SELECT count(*) FROM unit_orders WHERE strategy = ${slug} AND status = 'pending')) AS version`)
  return row?.version ?? ''
}
