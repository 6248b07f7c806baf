import type { PayoutPause } from '../../../src/contract/console/payoutPause.ts'
import type { pausePayouts as endpoint } from '../../../src/contract/console/treasury.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { readPause } from '../../ledger/payoutPause.ts'
import { type RowOf, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { payoutPauses } from '../../lib/tables/payouts.ts'

/** The switch that stops every payout. One operator is enough, because it only reduces risk. */
export async function pausePayouts(call: CallOf<typeof endpoint>) {
  const { db, actor, nowMs, body } = call
  const [pauses] = await readTogether(db, readPause())
  if (pauses.length > 0) refuse('already_decided', { msg: 'Payouts are already paused.' })
  return call.commit({
    statements: [db.insert(payoutPauses).values({ at: nowMs, actor: actor.id, reason: body.reason })],
    audit: [{ action: 'payouts.paused', subject: 'payouts' }],
    answer: ok({ since: toIso(nowMs) }),
  })
}

/** The pause, or null while payouts go on. */
export function describePause(pause: RowOf<typeof readPause> | undefined): PayoutPause | null {
  if (pause === undefined) return null
  const { at, actor, name, reason } = pause
  return { since: toIso(at), by: { _id: actor, name }, reason }
}
