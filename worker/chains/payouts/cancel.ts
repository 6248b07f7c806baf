import { eq } from 'drizzle-orm'
import type { cancelPayout as endpoint } from '../../../src/contract/console/payouts.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { payouts } from '../../lib/tables/payouts.ts'
import { toPayoutDetail } from './payout.ts'
import type { WholePayout } from './read.ts'

/** Cancels a payout that was not sent. Its withdrawals and coins are free again. */
export async function cancelPayout(call: CallOf<typeof endpoint>, payout: WholePayout) {
  const { db, env, actor, nowMs } = call
  if (payout.state === 'released')
    refuse('payout_sent', {
      msg: 'This payout was sent, so it cannot be cancelled. It can be replaced with a higher fee.',
    })
  if (payout.state !== 'built') refuse('already_decided')
  const cancelled = { cancelledBy: actor.id, cancelledAt: nowMs }
  return call.commit({
    statements: [
      // A trigger refuses it if the payout was released meanwhile.
      db
        .update(payouts)
        .set({ state: 'cancelled', ...cancelled })
        .where(eq(payouts.id, payout.id)),
    ],
    audit: [{ action: 'payout.cancelled', subject: payout.id, detail: { chain: payout.chain } }],
    answer: ok(
      toPayoutDetail(env, {
        ...payout,
        state: 'cancelled',
        ...cancelled,
        cancelledByName: actor.displayName,
      }),
    ),
  })
}
