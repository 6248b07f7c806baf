import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type {
  listLiabilities as endpoint,
  OwnProof,
  PublishedRoot,
} from '../../../src/contract/money/liabilities.ts'
import { groupAtVenuesByDay, readAtVenues } from '../../chains/reserves/atVenues.ts'
import { groupReservesByDay, readReserves } from '../../chains/reserves/show.ts'
import { type ActorCall, type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { liabilityDays, liabilityLeaves, liabilityNodes } from '../../lib/tables/liabilities.ts'
import { createSaltDeriver } from './tree.ts'

/** The published roots, newest first, or the root of one day. */
export async function listLiabilities(call: PublicCallOf<typeof endpoint>): Promise<Answer<PublishedRoot[]>> {
  const { limit, cursor, day } = call.query
  const after = openCursor(cursor)
  const { db } = call
  const isShown = and(
    isNotNull(liabilityDays.publishedAt),
    day === undefined ? undefined : eq(liabilityDays.day, day),
    after === null ? undefined : lt(liabilityDays.day, formatIsoDay(after.at)),
  )
  const newest = desc(liabilityDays.day)
  const days = db.select({ day: liabilityDays.day }).from(liabilityDays).where(isShown).orderBy(newest)
  const [found, counted, moved] = await db.batch([
    db
      .select()
      .from(liabilityDays)
      .where(isShown)
      .orderBy(newest)
      .limit(limit + 1),
    readReserves(db, days.limit(limit)),
    readAtVenues(db, days.limit(limit)),
  ])
  const { rows, headers } = takePage(call, found, limit, ({ day }) => ({ at: Date.parse(day), seq: 0 }))
  const reserves = groupReservesByDay(counted)
  const atVenues = groupAtVenuesByDay(moved, call.env)
  return ok(
    rows.map(({ day, at, root, investors, total }) => ({
      day,
      at: toIso(at),
      root: root ?? '',
      investors,
      totalCents: total,
      reserves: reserves.get(day) ?? [],
      atVenues: atVenues.get(day) ?? [],
    })),
    headers,
  )
}

/** A tree with more levels has more leaves than there are people. */
const LEVELS = JSON.stringify(Array.from({ length: 40 }, (_, level) => level))

/** The actor's proof for the newest published day. Refuses `not_found` if there is no leaf, or the leaves are deleted. */
export async function getLiabilityProof({ actor, db }: ActorCall): Promise<Answer<OwnProof>> {
  const { day, at, investors, total, secret, root, publishedAt } = liabilityDays
  const n = alias(liabilityNodes, 'n')
  const own = selectRows({
    ...{ day, at, investors, total, balance: liabilityLeaves.balance },
    secret: sql<string>`${secret}`,
    root: sql<string>`${root}`,
    position: sql<number>`${liabilityLeaves.position}`,
  })
    .from(liabilityLeaves)
    .innerJoin(liabilityDays, eq(day, liabilityLeaves.day))
    .where(and(eq(liabilityLeaves.investor, actor.id), isNotNull(publishedAt), isNotNull(secret)))
    .orderBy(desc(day))
    .limit(1)
  const [[row], nodes] = await readTogether(
    db,
    own,
    // The sibling on each level; the last node of a level may have none.
    selectRows({ hash: n.hash, sum: n.sum })
      .from(sql`${own} leaf, json_each(${LEVELS}) v`)
      .innerJoin(
        n,
        sql`n.day = leaf.day AND n.level = v.value
          AND n.position = (leaf.position >> v.value) + 1 - 2 * ((leaf.position >> v.value) & 1)`,
      )
      .orderBy(n.level),
  )
  if (row === undefined) return refuse('not_found')
  const salt = await (await createSaltDeriver(row.secret))(actor.id)
  return ok({
    day: row.day,
    at: toIso(row.at),
    root: row.root,
    investors: row.investors,
    totalCents: row.total,
    leaf: { salt, investor: actor.id, balanceCents: row.balance },
    index: row.position,
    path: nodes.map(({ hash, sum }) => ({ hash, sumCents: sum })),
  })
}
