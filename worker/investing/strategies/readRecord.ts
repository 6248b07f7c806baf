import { type SQL, sql } from 'drizzle-orm'
import type { listRecord as endpoint, RecordEntry } from '../../../src/contract/investing/strategies.ts'
import type { RecordedValuation } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { buildQuery, readTogether } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { LATE_MS } from './readStrategies.ts'

/** A strategy's valuations, newest first, with the fields of the hash chain. Refuses `not_found`. */
export async function listRecord(call: PublicCallOf<typeof endpoint>): Promise<Answer<RecordEntry[]>> {
  const { limit, cursor } = call.query
  const slug = call.params.slug ?? ''
  const after = openCursor(cursor)
  // 'close' sorts before 'open', but comes after it on its day.
  const earlier =
    after === null
      ? sql``
      : sql`AND (day < ${after.at} OR (day = ${after.at} AND kind > ${after.seq === 0 ? 'close' : 'open'}))`
  const [known, rows] = await readTogether(
    call.db,
    buildQuery<{ slug: string }>(sql`SELECT slug FROM strategies WHERE slug = ${slug}`),
    buildQuery<ValuationRow>(sql`
      SELECT ${RECORDED_COLUMNS} FROM valuations v WHERE strategy = ${slug} ${earlier} ORDER BY day DESC, kind LIMIT ${limit + 1}`),
  )
  if (known.length === 0) refuse('not_found')
  const page = takePage(call, rows, limit, ({ day, kind }) => ({ at: day, seq: kind === 'close' ? 0 : 1 }))
  return ok(page.rows.map(toRecordEntry), page.headers)
}

function toRecordEntry(row: ValuationRow): RecordEntry {
  const recorded = toRecordedValuation(row)
  const { strategy, day, kind, recordedAt } = recorded
  return {
    ...recorded,
    _id: `${strategy}.${day}.${kind}`,
    late: recordedAt > row.day + (kind === 'close' ? DAY_MS : 0) + LATE_MS,
  }
}

/** The public columns of a valuation. */
export interface ValuationRow {
  readonly strategy: string
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly priceReturn: number
  readonly weights: string
  readonly recordedAt: number
  readonly commitment: string
  readonly previous: string
  readonly hash: string
}

/** SQL of a row's public columns, of the valuation `v`. */
export const RECORDED_COLUMNS: SQL = sql`
  v.strategy, v.day, v.kind, v.unit_price AS unitPrice, v.price_return AS priceReturn, v.weights,
  v.recorded_at AS recordedAt, v.commitment, v.previous, v.hash`

/** The public form of a valuation, which its hash covers. */
export function toRecordedValuation({ priceReturn, ...row }: ValuationRow): RecordedValuation {
  const { strategy, kind, unitPrice, recordedAt, commitment, previous, hash } = row
  return {
    ...{ format: 2, strategy, day: formatIsoDay(row.day), kind, unitPrice, return: priceReturn },
    weights: JSON.parse(row.weights) as Record<string, number>,
    ...{ recordedAt, commitment, previous, hash },
  }
}
