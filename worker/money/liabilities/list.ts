import { and, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { listLiabilities as endpoint, PublishedRoot } from '../../../src/contract/money/liabilities.ts'
import { type Answer, type Call, type CheckedCall, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { liabilityDays } from '../../lib/tables/liabilities.ts'

/** The published roots, newest first, or that of one day. */
export async function listLiabilities(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & Call,
): Promise<Answer<PublishedRoot[]>> {
  const { limit, cursor, day } = call.query
  const after = openCursor(cursor)
  const found = await call.db
    .select()
    .from(liabilityDays)
    .where(
      and(
        isNotNull(liabilityDays.publishedAt),
        day === undefined ? undefined : eq(liabilityDays.day, day),
        after === null ? undefined : lt(liabilityDays.day, iso(after.at).slice(0, 10)),
      ),
    )
    .orderBy(desc(liabilityDays.day))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ day }) => ({ at: Date.parse(day), seq: 0 }))
  return ok(
    rows.map(({ day, at, root, investors, total }) => ({
      day,
      at: iso(at),
      root: root ?? '',
      investors,
      totalCents: total,
    })),
    headers,
  )
}
