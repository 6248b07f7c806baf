import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { GAP_PARTS, type GapParts } from '../../../src/contract/investing/gapParts.ts'
import type { listGaps as endpoint, StrategyGap } from '../../../src/contract/investing/gaps.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import { strategies } from '../../lib/tables/strategies.ts'

/** A strategy's days with their parts, newest first. Refuses `not_found`. */
export async function listGaps(call: PublicCallOf<typeof endpoint>): Promise<Answer<StrategyGap[]>> {
  const { limit, cursor } = call.query
  const slug = call.params.slug ?? ''
  // The pool's own figures stay in the database.
  const [known, rows] = await readTogether(call.db, readStrategy(slug), readGaps(slug, limit, cursor))
  if (known.length === 0) refuse('not_found')
  const page = takePage(call, rows, limit, ({ day }) => ({ at: day, seq: 0 }))
  return ok(page.rows.map(toStrategyGap), page.headers)
}

/** Reads whether a strategy exists. */
export function readStrategy(slug: string) {
  return selectRows({ slug: strategies.slug }).from(strategies).where(eq(strategies.slug, slug))
}

/**
 * One page of a strategy's closed days, one more than `limit`. Returns and parts in 10⁻⁶ of a basis point.
 * @param withPool also reads the figures of its pool, as JSON of a `PoolGap`; otherwise they are null
 */
export function readGaps(slug: string, limit: number, cursor: string | undefined, withPool = false) {
  const { strategy, day, live, test, price, slippage, fees, cashDrag, missed, rounding, unexplained } = gaps
  const after = openCursor(cursor)
  return selectRows({
    ...{ day, live, test, price, slippage, fees, cashDrag, missed, rounding, unexplained },
    pool: withPool ? gaps.pool : sql<string | null>`NULL`,
  })
    .from(gaps)
    .where(and(eq(strategy, slug), after === null ? undefined : lt(day, after.at)))
    .orderBy(desc(day))
    .limit(limit + 1)
}

const STORED = 1e6

export function toStrategyGap(row: Omit<RowOf<typeof readGaps>, 'pool'>): StrategyGap {
  const { live, test } = row
  return {
    _id: formatIsoDay(row.day),
    live: live / STORED,
    test: test / STORED,
    difference: (live - test) / STORED,
    parts: mapGapParts((part) => row[part] / STORED),
  }
}

/** One figure for each part, without negative zeros. */
export function mapGapParts(of: (part: keyof GapParts) => number): { [Part in keyof GapParts]: number } {
  const entries = GAP_PARTS.map((part) => [part, of(part) + 0] as const)
  return Object.fromEntries(entries) as { [Part in keyof GapParts]: number }
}
