import { eq, sql } from 'drizzle-orm'
import type { Costs } from '../../../engine/definition.ts'
import type { listFills as endpoint, Fill } from '../../../src/contract/investing/strategies.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { strategies } from '../../lib/tables/strategies.ts'
import { storedDefinition, storedShares } from '../trading/stored.ts'
import { describeAsset } from './readStrategies.ts'

/** Positions within a day of the sales after its open. */
const WITHIN_DAY = 1000

/**
 * The trades of a strategy's rules, newest first. Trades for investors who join or leave are left out: even their side would tell
 * an investor whether another investor's order was larger. Refuses `not_found`.
 */
export async function listFills(call: PublicCallOf<typeof endpoint>): Promise<Answer<Fill[]>> {
  const { limit, cursor } = call.query
  const slug = call.params.slug ?? ''
  const [[known], rows] = await readTogether(
    call.db,
    selectRows({ definition: strategies.definition }).from(strategies).where(eq(strategies.slug, slug)),
    readTrades(slug, openCursor(cursor), limit + 1),
  )
  if (known === undefined) return refuse('not_found')
  const { costs } = parseStored(storedDefinition, known.definition)
  const page = takePage(call, rows, limit, ({ day, seq }) => ({ at: day, seq }))
  return ok(
    page.rows.map((row) => toFill(slug, costs, row)),
    page.headers,
  )
}

function readTrades(slug: string, after: Position | null, limit: number) {
  const seq = sql<number>`((v.kind = 'close') * ${WITHIN_DAY} + t.key)`
  const selectWeights = (kind: 'open' | 'close') => sql<string | null>`
    (SELECT w.weights FROM valuations w WHERE w.strategy = v.strategy AND w.day = v.day AND w.kind = ${kind})`
  return selectRows({
    day: sql<number>`v.day`,
    /** The order within a day: sales by a stop come after the trades at the open. */
    seq,
    asset: sql<string>`t.value ->> 'asset'`,
    side: sql<'buy' | 'sell'>`t.value ->> 'side'`,
    price: sql<number>`t.value ->> 'price'`,
    at: sql<number>`v.recorded_at`,
    /** JSON: each asset's share of the model before the day's open, and at its close. */
    before: selectWeights('open'),
    after: selectWeights('close'),
  })
    .from(sql`valuations v, json_each(v.trades) t`)
    .where(sql`v.strategy = ${slug} AND v.trades IS NOT NULL
      ${after === null ? sql`` : sql`AND v.day <= ${after.at} AND (v.day < ${after.at} OR ${seq} < ${after.seq})`}`)
    .orderBy(sql`v.day DESC, v.kind, t.key DESC`)
    .limit(limit)
}

function toFill(
  slug: string,
  { feeBasisPoints, slippageBasisPoints }: Costs,
  { day, seq, asset, side, price, before, after, at }: RowOf<typeof readTrades>,
): Fill {
  const { _id, name } = describeAsset(asset)
  const stopped = seq >= WITHIN_DAY
  return {
    _id: `${slug}:${formatIsoDay(day)}:${asset}${stopped ? ':exit' : ''}`,
    day: formatIsoDay(day),
    asset: { _id, name },
    side,
    stopped,
    price,
    feeBasisPoints,
    slippageBasisPoints,
    before: parseShare(before, asset),
    after: parseShare(after, asset),
    at: toIso(at),
  }
}

/** To the hundredth of a percent. */
function parseShare(weights: string | null, asset: string): number | null {
  if (weights === null) return null
  return Math.round((parseStored(storedShares, weights)[asset] ?? 0) / 100) / 10_000
}
