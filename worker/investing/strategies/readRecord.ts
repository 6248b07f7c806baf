import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { listRecord as endpoint, RecordEntry } from '../../../src/contract/investing/strategies.ts'
import { type Answer, type Call, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { RECORDED_COLUMNS, recordedOf, type ValuationRow } from '../trading/recorded.ts'
import { LATE_MS } from './readStrategies.ts'

/** A strategy's valuations, newest first, with what makes the chain of hashes. Refuses `not_found`. */
export async function listRecord(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & Call,
): Promise<Answer<RecordEntry[]>> {
  const { limit, cursor } = call.query
  const slug = call.params.slug ?? ''
  const after = openCursor(cursor)
  // A close comes before an open in the order of letters, and after it on its day.
  const earlier =
    after === null
      ? sql``
      : sql`AND (day < ${after.at} OR (day = ${after.at} AND kind > ${after.seq === 0 ? 'close' : 'open'}))`
  const [known, rows] = await readTogether(
    call.db,
    reading<{ slug: string }>(sql`SELECT slug FROM strategies WHERE slug = ${slug}`),
    reading<ValuationRow>(sql`
      SELECT ${RECORDED_COLUMNS} FROM valuations v WHERE strategy = ${slug} ${earlier} ORDER BY day DESC, kind LIMIT ${limit + 1}`),
  )
  if (known.length === 0) refuse('not_found')
  const page = pageOf(call, rows, limit, ({ day, kind }) => ({ at: day, seq: kind === 'close' ? 0 : 1 }))
  return ok(page.rows.map(entryOf), page.headers)
}

function entryOf(row: ValuationRow): RecordEntry {
  const recorded = recordedOf(row)
  const { strategy, day, kind, recordedAt } = recorded
  return {
    ...recorded,
    _id: `${strategy}.${day}.${kind}`,
    late: recordedAt > row.day + (kind === 'close' ? DAY_MS : 0) + LATE_MS,
  }
}
