import { sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import { type Read, type RowsOf, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { strategyOfId } from './positionId.ts'
import { type PositionRow, readPositions } from './positions.ts'

/** A position of the actor's that an id names: the position's own, or that of one of its orders. */
export type Own<Reads extends readonly Read<unknown>[]> = {
  readonly standing: PositionRow
  readonly others: RowsOf<Reads>
}

/**
 * Finds it, and reads what else is wanted of it in the same round trip: `others` get SQL of the strategy's slug. Refuses
 * `not_found`, also where the actor never had anything in that strategy.
 */
export async function ownPosition<const Reads extends readonly Read<unknown>[]>(
  { db, actor, params }: ActorCall,
  others: (strategy: ReturnType<typeof sql>) => Reads,
): Promise<Own<Reads>> {
  const id = params.id ?? ''
  const named = await strategyOfId(actor.id, id)
  const strategy =
    named === null
      ? sql`(SELECT x.strategy FROM unit_orders x WHERE x.id = ${id} AND x.investor = ${actor.id})`
      : sql`${named}`
  const [rows, ...rest] = await readTogether(
    db,
    readPositions(actor.id, sql`s.slug = ${strategy}`),
    ...others(strategy),
  )
  const [standing] = rows as PositionRow[]
  if (standing === undefined || standing.orders === 0) return refuse('not_found')
  return { standing, others: rest as RowsOf<Reads> }
}
