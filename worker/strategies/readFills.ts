import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../src/contract/endpoint.ts'
import type { listFills as endpoint, Fill } from '../../src/contract/strategies.ts'
import { type Answer, type Call, type CheckedCall, ok } from '../lib/call.ts'
import { reading, readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { iso, openCursor, pageOf } from '../lib/paging.ts'
import { assetOf, dayOf } from './readStrategies.ts'
import { isExit } from './trading.ts'

interface FillRow {
  readonly seq: number
  readonly id: string
  readonly day: number
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  /** Micro-USD: what was paid in fees, what the price lost to slippage, and what the pool's cash became more or less by. */
  readonly fee: number
  readonly slippage: number
  readonly cash: number
  readonly at: number
  /** JSON: what each asset was of the pool at the day's open, before anything was traded, and at its close. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * What a strategy traded, newest first: an order is filled once. Nothing is told by which the pool's size could be computed, and so what
 * a single investor has in a small one: costs are parts of what was traded, and how much that was shows in what the asset was of the
 * pool before and after, which is in the public record as well. Refuses `not_found`.
 */
export async function listFills(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & Call,
): Promise<Answer<Fill[]>> {
  const { limit, cursor } = call.query
  const slug = call.params.slug ?? ''
  const after = openCursor(cursor)
  const weights = (kind: 'open' | 'close') => sql`
    (SELECT v.weights FROM valuations v WHERE v.strategy = o.strategy AND v.day = o.day AND v.kind = ${kind})`
  const [known, rows] = await readTogether(
    call.db,
    reading<{ slug: string }>(sql`SELECT slug FROM strategies WHERE slug = ${slug}`),
    reading<FillRow>(sql`
      SELECT o.seq, o.id, o.day, o.asset, o.side, f.price, f.fee, f.slippage, f.cash, f.at,
             ${weights('open')} AS before, ${weights('close')} AS after
      FROM pool_orders o JOIN pool_fills f ON f.pool_order = o.id
      WHERE o.strategy = ${slug} ${after === null ? sql`` : sql`AND (o.day, o.seq) < (${after.at}, ${after.seq})`}
      ORDER BY o.day DESC, o.seq DESC LIMIT ${limit + 1}`),
  )
  if (known.length === 0) refuse('not_found')
  const page = pageOf(call, rows, limit, ({ day, seq }) => ({ at: day, seq }))
  return ok(page.rows.map(fillOf), page.headers)
}

function fillOf({ id, day, asset, side, price, fee, slippage, cash, at, before, after }: FillRow): Fill {
  const value = side === 'buy' ? -cash - fee : cash + fee
  const { _id, name } = assetOf(asset)
  return {
    _id: id,
    day: dayOf(day),
    asset: { _id, name },
    side,
    stopped: isExit(id),
    price,
    feeBasisPoints: basisPoints(fee, value),
    slippageBasisPoints: basisPoints(slippage, side === 'buy' ? value - slippage : value + slippage),
    before: shareOf(before, asset),
    after: shareOf(after, asset),
    at: iso(at),
  }
}

/** Whole ones: more of them would tell, by what was rounded to a millionth of a dollar, how much was traded. */
function basisPoints(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 10_000) : 0
}

/** To the hundredth of a percent: the dust of cash that rounding leaves is in the record, and means nothing here. */
function shareOf(weights: string | null, asset: string): number | null {
  if (weights === null) return null
  return Math.round(((JSON.parse(weights) as Record<string, number>)[asset] ?? 0) / 100) / 10_000
}
