import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import type {
  listLiabilities as endpoint,
  OwnProof,
  PublishedRoot,
} from '../../../src/contract/money/liabilities.ts'
import { type ActorCall, type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { isoDay } from '../../lib/days.ts'
import { refuse } from '../../lib/errors.ts'
import { liabilityDays } from '../../lib/tables/liabilities.ts'
import { reservesOf } from '../reserves/show.ts'
import { saltsOf, siblingPositions } from './tree.ts'

/** The published roots, newest first, or the root of one day. */
export async function listLiabilities(call: PublicCallOf<typeof endpoint>): Promise<Answer<PublishedRoot[]>> {
  const { limit, cursor, day } = call.query
  const after = openCursor(cursor)
  const found = await call.db
    .select()
    .from(liabilityDays)
    .where(
      and(
        isNotNull(liabilityDays.publishedAt),
        day === undefined ? undefined : eq(liabilityDays.day, day),
        after === null ? undefined : lt(liabilityDays.day, isoDay(after.at)),
      ),
    )
    .orderBy(desc(liabilityDays.day))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ day }) => ({ at: Date.parse(day), seq: 0 }))
  const reserves = await reservesOf(
    call.db,
    rows.map(({ day }) => day),
  )
  return ok(
    rows.map(({ day, at, root, investors, total }) => ({
      day,
      at: iso(at),
      root: root ?? '',
      investors,
      totalCents: total,
      reserves: reserves.get(day) ?? [],
    })),
    headers,
  )
}

interface Row {
  readonly day: string
  readonly at: number
  readonly investors: number
  readonly total: number
  readonly secret: string
  readonly root: string
  readonly balance: number
  readonly position: number
}

/** The actor's proof for the newest published day. Refuses `not_found` if there is no leaf, or the leaves are deleted. */
export async function liabilityProof({ actor, db }: ActorCall): Promise<Answer<OwnProof>> {
  const [row] = await db.all<Row>(sql`
      SELECT d.day, d.at, d.investors, d.total, d.secret, d.root, l.balance, l.position
      FROM liability_leaves l JOIN liability_days d ON d.day = l.day
      WHERE l.investor = ${actor.id} AND d.published_at IS NOT NULL AND d.secret IS NOT NULL
      ORDER BY d.day DESC LIMIT 1`)
  if (row === undefined) return refuse('not_found')
  const places = siblingPositions(row.position, row.investors)
  const nodes = await db.all<{ hash: string; sum: number }>(sql`
      SELECT n.hash, n.sum FROM json_each(${JSON.stringify(places)}) p
      JOIN liability_nodes n ON n.day = ${row.day} AND n.level = p.value ->> 'level' AND n.position = p.value ->> 'position'
      ORDER BY n.level`)
  const salt = await (await saltsOf(row.secret))(actor.id)
  return ok({
    day: row.day,
    at: iso(row.at),
    root: row.root,
    investors: row.investors,
    totalCents: row.total,
    leaf: { salt, investor: actor.id, balanceCents: row.balance },
    index: row.position,
    path: nodes.map(({ hash, sum }) => ({ hash, sumCents: sum })),
  })
}
