import { type SQL, sql } from 'drizzle-orm'
import { GAP_PARTS, type GapParts } from '../../../src/contract/investing/gapParts.ts'
import type { listGaps as endpoint, StrategyGap } from '../../../src/contract/investing/gaps.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'

/** A strategy's days with their parts, newest first. Refuses `not_found`. */
export async function listGaps(call: PublicCallOf<typeof endpoint>): Promise<Answer<StrategyGap[]>> {
  const { limit, cursor } = call.query
  const slug = call.params.slug ?? ''
  // The pool's own figures stay in the database.
  const [known, rows] = await readTogether(call.db, ...readGapPage<GapRow>(slug, limit, cursor, PUBLIC))
  if (known.length === 0) refuse('not_found')
  const page = takePage(call, rows, limit, ({ day }) => ({ at: day, seq: 0 }))
  return ok(page.rows.map(toStrategyGap), page.headers)
}

/** A closed day. Returns and parts in 10⁻⁶ of a basis point. */
export interface GapRow extends GapParts {
  readonly day: number
  readonly live: number
  readonly test: number
}

const PUBLIC = sql`g.live, g.test, g.price, g.slippage, g.fees, g.cash_drag AS cashDrag, g.missed, g.rounding, g.unexplained`
export const OWN = sql`${PUBLIC}, g.pool`

/** Reads whether a strategy exists, and one page of its closed days, one more than `limit`. */
export function readGapPage<Row extends GapRow>(
  slug: string,
  limit: number,
  cursor: string | undefined,
  columns: SQL,
): readonly [RowQuery<{ slug: string }>, RowQuery<Row>] {
  const after = openCursor(cursor)
  return [
    buildQuery<{ slug: string }>(sql`SELECT slug FROM strategies WHERE slug = ${slug}`),
    buildQuery<Row>(sql`
      SELECT g.day, ${columns} FROM gaps g
      WHERE g.strategy = ${slug} ${after === null ? sql`` : sql`AND g.day < ${after.at}`}
      ORDER BY g.day DESC LIMIT ${limit + 1}`),
  ]
}

const STORED = 1e6

export function toStrategyGap(row: GapRow): StrategyGap {
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
