import { sql } from 'drizzle-orm'
import {
  listOperatorRecord as endpoint,
  type OperatorRecordEntry,
} from '../../../src/contract/console/strategies.ts'
import type { Committed } from '../../../src/contract/investing/strategyRecord.ts'
import { ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import { dayName } from '../../investing/trading/valuation.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

interface Row {
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly hash: string
  readonly commitment: string | null
  readonly salt: string | null
  readonly details: string | null
  readonly units: number
  readonly netValue: number
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
}

/** What the valuations of a strategy commit to, newest first, with their salts. Refuses `not_found`. */
export const listOperatorRecord = route(endpoint, async (call) => {
  const { limit, cursor } = call.query
  const slug = call.params.id ?? ''
  const after = openCursor(cursor)
  // A close comes before an open in the order of letters, and after it on its day.
  const earlier =
    after === null
      ? sql``
      : sql`AND (day < ${after.at} OR (day = ${after.at} AND kind > ${after.seq === 0 ? 'close' : 'open'}))`
  const [known, rows] = await readTogether(
    call.db,
    reading<{ slug: string }>(sql`SELECT slug FROM strategies WHERE slug = ${slug}`),
    reading<Row>(sql`
      SELECT day, kind, hash, commitment, salt, details, units, net_value AS netValue, issue_price AS issuePrice,
             redeem_price AS redeemPrice
      FROM valuations WHERE strategy = ${slug} ${earlier} ORDER BY day DESC, kind LIMIT ${limit + 1}`),
  )
  if (known.length === 0) refuse('not_found')
  const page = pageOf(call, rows, limit, ({ day, kind }) => ({ at: day, seq: kind === 'close' ? 0 : 1 }))
  return ok(
    page.rows.map((row) => entryOf(slug, row)),
    page.headers,
  )
})

function entryOf(slug: string, row: Row): OperatorRecordEntry {
  const { kind, hash, commitment, salt, units, netValue, issuePrice, redeemPrice } = row
  const day = dayName(row.day)
  const details = row.details === null ? null : (JSON.parse(row.details) as Omit<Committed, 'units'>)
  return {
    ...{ _id: `${slug}.${day}.${kind}`, day, kind, hash, commitment, salt },
    committed: { units, netValue, issuePrice, redeemPrice, ...details },
  }
}
