import { sql } from 'drizzle-orm'
import type { Committed } from '../../../src/contract/investing/strategyRecord.ts'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import type { Pool } from './state.ts'

type Details = Omit<Committed, 'units' | 'netValue' | 'issuePrice' | 'redeemPrice'>

/** What a valuation commits to besides prices and units: the pool's cash and holdings, and at a close the flows and orders of its day. */
export async function readDetails(
  db: Database,
  { slug, cash, quantity, definition }: Pool,
  day: number,
  kind: 'open' | 'close',
): Promise<Details> {
  const holdings = Object.fromEntries(
    definition.assets.flatMap((asset, place) => (quantity[place] ? [[asset, quantity[place]]] : [])),
  )
  if (kind === 'open') return { cash, holdings, flows: [], orders: [] }
  const [flows, orders] = await readTogether(
    db,
    // Of the newest movements alone: none is of a later day.
    reading<Details['flows'][number]>(sql`
      SELECT code, count(*) AS count, sum(units) AS units, sum(cents) AS cents FROM unit_movements
      WHERE strategy = ${slug} AND seq > coalesce((
        SELECT max(seq) FROM unit_movements WHERE strategy = ${slug} AND day < ${day}), 0) AND day = ${day}
      GROUP BY code ORDER BY code`),
    reading<Details['orders'][number]>(sql`
      SELECT o.id, o.asset, o.side, o.quantity, f.quantity AS filled, f.price, f.fee, f.slippage, f.cash
      FROM pool_orders o LEFT JOIN pool_fills f ON f.pool_order = o.id
      WHERE o.strategy = ${slug} AND o.day = ${day} ORDER BY o.id`),
  )
  return { cash, holdings, flows, orders }
}
