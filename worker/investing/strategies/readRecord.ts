import { desc, eq, sql } from 'drizzle-orm'
import type { listRecord as endpoint, RecordEntry } from '../../../src/contract/investing/strategies.ts'
import type { RecordedValuation } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { parseStored, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { strategies, valuations } from '../../lib/tables/strategies.ts'
import { storedShares } from '../trading/stored.ts'
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
    selectRows({ slug: strategies.slug }).from(strategies).where(eq(strategies.slug, slug)),
    selectRows(RECORDED_COLUMNS)
      .from(valuations)
      .where(sql`strategy = ${slug} ${earlier}`)
      .orderBy(desc(valuations.day), valuations.kind)
      .limit(limit + 1),
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
export const RECORDED_COLUMNS = {
  strategy: valuations.strategy,
  day: valuations.day,
  kind: valuations.kind,
  unitPrice: valuations.unitPrice,
  priceReturn: valuations.priceReturn,
  weights: valuations.weights,
  recordedAt: valuations.recordedAt,
  commitment: valuations.commitment,
  previous: valuations.previous,
  hash: valuations.hash,
}
export type ValuationRow = Pick<typeof valuations.$inferSelect, keyof typeof RECORDED_COLUMNS>

/** The public form of a valuation, which its hash covers. */
export function toRecordedValuation({ priceReturn, ...row }: ValuationRow): RecordedValuation {
  const { strategy, kind, unitPrice, recordedAt, commitment, previous, hash } = row
  return {
    ...{ format: 2, strategy, day: formatIsoDay(row.day), kind, unitPrice, return: priceReturn },
    weights: parseStored(storedShares, row.weights),
    ...{ recordedAt, commitment, previous, hash },
  }
}
