import { eq, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as contract from '../../../src/contract/console/treasury.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { payoutPauses } from '../../lib/tables/payouts.ts'
import { users } from '../../lib/tables/people.ts'

/** The pause of all payouts that has not ended; no row while payouts go on. */
export function readPause() {
  const [p, u] = [alias(payoutPauses, 'p'), alias(users, 'u')]
  return selectRows({ at: p.at, actor: p.actor, name: u.displayName, reason: p.reason })
    .from(p)
    .innerJoin(u, eq(u.id, p.actor))
    .where(isNull(p.liftedAt))
}

function toPause(row: RowOf<typeof readPause> | undefined): contract.OperatorTreasury['pause'] {
  if (row === undefined) return null
  return { since: toIso(row.at), by: { _id: row.actor, name: row.name }, reason: row.reason }
}

export async function showTreasury({ db }: CallOf<typeof contract.getTreasury>) {
  const [[pause]] = await readTogether(db, readPause())
  return ok({ pause: toPause(pause) })
}

/** The switch that stops every payout. One operator is enough, because it only reduces risk. */
export async function pausePayouts(call: CallOf<typeof contract.pausePayouts>) {
  const { db, actor, nowMs, body } = call
  const { reason } = body
  const [[pause]] = await readTogether(db, readPause())
  if (pause !== undefined) refuse('already_decided', { msg: 'Payouts are already paused.' })
  return call.commit({
    statements: [db.insert(payoutPauses).values({ at: nowMs, actor: actor.id, reason })],
    audit: [{ action: 'payouts.paused', subject: 'payouts' }],
    answer: ok({ pause: toPause({ at: nowMs, actor: actor.id, name: actor.displayName, reason }) }),
  })
}
