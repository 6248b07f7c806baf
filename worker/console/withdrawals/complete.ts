import { eq } from 'drizzle-orm'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { type Asset, giveFromCustody, quantityAt, quantityOf, unitsOf } from '../../ledger/custody.ts'
import { payOut } from '../../ledger/post.ts'
import { readTogether, type Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { withdrawalDetails } from '../../lib/tables/requests.ts'
import { type RequestEvent, recordEvent } from '../../money/requests/events.ts'
import { referenceOrRefuse } from '../../money/requests/references.ts'
import { readDebt, refuseDebtor } from '../cases/debt.ts'
import { refuseFrozen } from '../cases/frozen.ts'
import { withdrawalPaid } from '../cases/mails.ts'
import { PAYOUT_MAX_AGE_MS, rateIn, readRates } from '../cases/rates.ts'
import { assertReferenceFree } from '../cases/references.ts'
import { afterEvent, eventOf, oneOfQueue, readEvents, withEvents } from '../cases/requests.ts'
import { readWithdrawals, type Withdrawal, withdrawalDetail } from './withdrawal.ts'

/** An approved withdrawal with the rate it is paid at: USD for one coin, null for a bank's or when the market is silent. */
export interface WithdrawalToPay {
  readonly withdrawal: Withdrawal
  readonly owedCents: number
  readonly rate: string | null
}

/** The withdrawal that `:id` names and the market: one round trip. Refuses one of a frozen account. */
export async function loadWithdrawalToPay(call: ActorCall): Promise<WithdrawalToPay> {
  const id = call.params.id ?? ''
  const ids = oneOfQueue('withdrawals', id)
  const [facts, events, [debt], market] = await readTogether(
    call.db,
    readWithdrawals(ids),
    readEvents(ids),
    readDebt(id),
    readRates(call.db),
  )
  const withdrawal = withEvents(facts, events)[0] ?? refuse('not_found')
  refuseFrozen(withdrawal)
  const { coin } = withdrawal
  return {
    withdrawal,
    owedCents: debt?.owedCents ?? 0,
    rate: coin === null ? null : rateIn(market, coin, call, PAYOUT_MAX_AGE_MS),
  }
}

/**
 * Records that an approved withdrawal was paid, under its reference. Whether it takes another operator than approved it is
 * the database's to say: the sum that counts changes with every payout.
 */
export async function completeWithdrawal(
  call: CheckedCall<{ reference: string }, unknown> & ActorCall,
  { withdrawal, owedCents, rate }: WithdrawalToPay,
): Promise<Answer<OperatorWithdrawal>> {
  const { db, env, actor, nowMs } = call
  const reference = referenceOrRefuse(withdrawal.network, call.body.reference)
  const { id, investor, status, amount: amountCents } = withdrawal
  if (status === 'pending')
    refuse('already_decided', { msg: 'This withdrawal is still pending. Approve it before completing it.' })
  if (status !== 'approved') refuse('already_decided')
  refuseDebtor(owedCents)
  const act = { amountCents }
  await assertFactor(call, act, () => assertPayable(call, withdrawal, reference))
  const approver = eventOf(withdrawal.events, 'approved')?.actor
  const event: RequestEvent = {
    request: id,
    investor,
    status: 'completed',
    actor: actor.id,
    atMs: nowMs,
    amountCents,
    reference,
    ...(approver !== undefined && approver !== actor.id && { secondOperator: approver }),
  }
  const answer = ok(withdrawalDetail(afterEvent(withdrawal, event, actor)))
  await commitWithFactor(call, act, {
    statements: [
      recordEvent(db, event),
      payOut(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
      ...leaveCustody(call, withdrawal, rate),
    ],
    audit: [
      {
        action: 'withdrawal.completed',
        subject: id,
        detail: { amountCents, secondOperator: event.secondOperator ?? null },
      },
    ],
    mails: [withdrawalPaid(env, withdrawal, reference)],
    answer,
  })
  return answer
}

/** What the database would refuse before it comes to who pays: only where a proof is asked for. */
async function assertPayable(call: ActorCall, { heldUntil }: Withdrawal, reference: string): Promise<void> {
  if (heldUntil !== null && heldUntil > call.nowMs) refuse('destination_on_hold')
  await assertReferenceFree(call, reference)
}

/** What leaves custody: as much of the coin as the amount is now, or dollars where a bank pays. */
function leaveCustody(call: ActorCall, withdrawal: Withdrawal, rate: string | null): Statement[] {
  const { db, nowMs } = call
  const { id, coin, amount } = withdrawal
  const leave = (asset: Asset, units: bigint) => giveFromCustody(db, { request: id, asset, units, nowMs })
  if (coin === null) return [leave('usd', BigInt(amount))]
  if (rate === null) refuse('unavailable', { msg: 'There is no market price now. Please try again shortly.' })
  // A cent of a very dear coin may be less than its smallest unit: then nothing leaves.
  const units = unitsOf(coin, quantityAt(coin, amount, rate)) ?? 0n
  const details = db
    .update(withdrawalDetails)
    .set({ quantity: quantityOf(coin, units), rate })
    .where(eq(withdrawalDetails.request, id))
  return units === 0n ? [details] : [details, leave(coin, units)]
}
