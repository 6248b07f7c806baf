import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../src/contract/endpoint.ts'
import type { listRecord as endpoint, RecordEntry } from '../../src/contract/strategies.ts'
import { type Answer, type Call, type CheckedCall, ok } from '../lib/call.ts'
import { reading, readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { openCursor, pageOf } from '../lib/paging.ts'
import { DAY_MS } from './latestPrice.ts'
import { dayOf, LATE_MS } from './readStrategies.ts'

interface ValuationRow {
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly weights: string
  readonly recordedAt: number
  readonly previous: string
  readonly hash: string
}

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
      SELECT day, kind, unit_price AS unitPrice, issue_price AS issuePrice, redeem_price AS redeemPrice, weights,
             recorded_at AS recordedAt, previous, hash
      FROM valuations WHERE strategy = ${slug} ${earlier} ORDER BY day DESC, kind LIMIT ${limit + 1}`),
  )
  if (known.length === 0) refuse('not_found')
  const page = pageOf(call, rows, limit, ({ day, kind }) => ({ at: day, seq: kind === 'close' ? 0 : 1 }))
  return ok(
    page.rows.map((row) => entryOf(slug, row)),
    page.headers,
  )
}

function entryOf(strategy: string, row: ValuationRow): RecordEntry {
  const { kind, unitPrice, issuePrice, redeemPrice, recordedAt, previous, hash } = row
  const day = dayOf(row.day)
  return {
    _id: `${strategy}.${day}.${kind}`,
    strategy,
    day,
    kind,
    unitPrice,
    issuePrice,
    redeemPrice,
    weights: JSON.parse(row.weights) as Record<string, number>,
    recordedAt,
    late: recordedAt > row.day + (kind === 'close' ? DAY_MS : 0) + LATE_MS,
    previous,
    hash,
  }
}
