import { eq } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/withdrawals.ts'
import { type ActorCall, ok, routeOf } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { type Asset, giveFromCustody, quantityAt, quantityOf, unitsOf } from '../../ledger/custody.ts'
import { payOut, release } from '../../ledger/post.ts'
import type { Statement } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { rateIn, readRates } from '../../lib/market/rates.ts'
import { withdrawalDetails } from '../../lib/tables/requests.ts'
import { readPaidByChain } from '../../money/payments/payoutOf.ts'
import { type Arrived, recordEvent } from '../../money/requests/events.ts'
import { referenceOrRefuse } from '../../money/requests/references.ts'
import { readSettings } from '../../platform/settings/values.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { withdrawalApproved, withdrawalPaid, withdrawalRejected } from '../cases/mails.ts'
import { tellReason } from '../cases/reasons.ts'
import { assertReferenceFree, readDebt, refuseDebtor, refuseFrozen } from '../cases/refusals.ts'
import { afterEvent, eventOf, oneOfQueue, readRequests, stepBy } from '../cases/requests.ts'
import {
  loadWithdrawal,
  PAYOUT_MAX_AGE_MS,
  readWithdrawals,
  type Withdrawal,
  withdrawalDetail,
} from './withdrawal.ts'

/** Approves a pending withdrawal for payout. The hold stays until it is paid. Refuses a frozen account. */
export const approveWithdrawal = routeOf(contract.approveWithdrawal, loadWithdrawal, async (call, found) => {
  const { owedCents, ...withdrawal } = found
  const act = { amountCents: withdrawal.amount }
  refuseFrozen(withdrawal)
  if (withdrawal.status !== 'pending') refuse('already_decided')
  refuseDebtor(owedCents)
  await assertFactor(call, act)
  const event = stepBy(call, withdrawal, 'approved')
  return commitWithFactor(call, act, {
    statements: [recordEvent(call.db, event)],
    audit: [{ action: 'withdrawal.approved', subject: withdrawal.id, detail: act }],
    mails: [withdrawalApproved(call.env, withdrawal, call.nowMs)],
    answer: ok(withdrawalDetail(afterEvent(withdrawal, event, call.actor), call)),
  })
})

/**
 * Rejects a pending or approved withdrawal and releases its hold. The investor reads a listed reason. Triggers refuse any other
 * status, and a payout that was sent.
 */
export const rejectWithdrawal = routeOf(contract.rejectWithdrawal, loadToReject, async (call, loaded) => {
  const { db, env, actor, nowMs, body } = call
  const { withdrawal: found, settings } = loaded
  const { id, ref, investor, amount: amountCents } = found
  const { told, note } = await tellReason(call, 'withdrawalRejection', settings, body)
  const event = stepBy(call, found, 'rejected', { note: told })
  return call.commit({
    statements: [
      recordEvent(db, event),
      release(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
      ...addInternalNote(call, investor, `${ref} rejected`, note),
    ],
    audit: [{ action: 'withdrawal.rejected', subject: id, detail: { amountCents } }],
    mails: [withdrawalRejected(env, found, told)],
    answer: ok(withdrawalDetail(afterEvent(found, event, actor), call)),
  })
})

/** Loads a withdrawal and the settings with the listed reasons in one round trip. */
async function loadToReject({ db, params }: ActorCall) {
  const [[withdrawal], settings] = await readRequests(
    db,
    readWithdrawals,
    oneOfQueue('withdrawals', params.id ?? ''),
    readSettings(),
  )
  return { withdrawal: withdrawal ?? refuse('not_found'), settings }
}

/** Loads the withdrawal, its investor's debt and its coin's price in one round trip. Refuses a frozen account. */
async function loadWithdrawalToPay(call: ActorCall) {
  const id = call.params.id ?? ''
  const [[withdrawal], [debt], market, [payer]] = await readRequests(
    call.db,
    readWithdrawals,
    oneOfQueue('withdrawals', id),
    readDebt(id),
    readRates(call.db),
    readPaidByChain(id),
  )
  if (withdrawal === undefined) return refuse('not_found')
  refuseFrozen(withdrawal)
  const { coin } = withdrawal
  // USD for one coin; null for a bank withdrawal or without a market price.
  const rate = coin === null ? null : rateIn(market, coin, call, PAYOUT_MAX_AGE_MS)
  return { withdrawal, owedCents: debt?.owedCents ?? 0, rate, isPaidByChain: payer?.paidByChain === 1 }
}

/**
 * Records the payout of an approved withdrawal under its reference. The database decides whether it needs another operator than
 * the one who approved, because every payout changes the sum that counts.
 */
export const completeWithdrawal = routeOf(
  contract.completeWithdrawal,
  loadWithdrawalToPay,
  async (call, { withdrawal, owedCents, rate, isPaidByChain }) => {
    const { db, env, actor, nowMs } = call
    const reference = referenceOrRefuse(withdrawal.network, call.body.reference)
    const { id, investor, status, amount: amountCents } = withdrawal
    if (status === 'pending')
      refuse('already_decided', { msg: 'This withdrawal is still pending. Approve it before completing it.' })
    if (status !== 'approved') refuse('already_decided')
    if (isPaidByChain) refuse('paid_by_chain')
    refuseDebtor(owedCents)
    const act = { amountCents }
    await assertFactor(call, act, () => assertPayable(call, withdrawal, reference))
    const approver = eventOf(withdrawal.events, 'approved')?.actor
    const secondOperator = approver === actor.id ? undefined : approver
    const sent = sentOf(withdrawal, rate, call.body.quantity)
    const event = stepBy(call, withdrawal, 'completed', {
      amountCents,
      reference,
      secondOperator,
      ...(sent !== null && sent.units > 0n && { arrived: sent }),
    })
    return commitWithFactor(call, act, {
      statements: [
        recordEvent(db, event),
        payOut(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
        ...leaveCustody(call, withdrawal, sent, rate),
      ],
      audit: [
        {
          action: 'withdrawal.completed',
          subject: id,
          detail: { amountCents, secondOperator: secondOperator ?? null },
        },
      ],
      mails: [withdrawalPaid(env, withdrawal, reference)],
      answer: ok(withdrawalDetail(afterEvent(withdrawal, event, actor), call)),
    })
  },
)

/** Makes the database's own checks first, if a proof is requested, so that no proof is used up in vain. */
async function assertPayable(call: ActorCall, { heldUntil }: Withdrawal, reference: string): Promise<void> {
  if (heldUntil !== null && heldUntil > call.nowMs) refuse('destination_on_hold')
  await assertReferenceFree(call, reference)
}

const NO_PRICE = { msg: 'There is no market price now. Please try again shortly.' }

/**
 * The quantity that was sent, as stated or else by the believed rate, and what the amount buys at that rate; null for a bank. Refuses
 * a missing quantity without a rate, and one that cannot be counted.
 */
function sentOf(
  { coin, amount }: Withdrawal,
  rate: string | null,
  stated: string | undefined,
): Arrived | null {
  if (coin === null) return null
  const unitsAtRate = rate === null ? null : unitsOf(coin, quantityAt(coin, amount, rate))
  if (stated === undefined) {
    if (rate === null) return refuse('unavailable', NO_PRICE)
    // One cent may be less than the smallest unit of an expensive coin; then nothing leaves custody.
    return { units: unitsAtRate ?? 0n, unitsAtRate }
  }
  const units = unitsOf(coin, stated)
  if (units === null) return refuseField('quantity', 'This quantity is too small or too large')
  return { units, unitsAtRate }
}

/** The custody entry: the quantity that was sent, or dollars for a bank payout. */
function leaveCustody(
  call: ActorCall,
  withdrawal: Withdrawal,
  sent: Arrived | null,
  rate: string | null,
): Statement[] {
  const { db, nowMs } = call
  const { id, coin, amount } = withdrawal
  const leave = (asset: Asset, units: bigint) => giveFromCustody({ request: id, asset, units, nowMs })
  if (coin === null || sent === null) return [leave('usd', BigInt(amount))]
  const { units } = sent
  const details = db
    .update(withdrawalDetails)
    .set({ quantity: quantityOf(coin, units), rate })
    .where(eq(withdrawalDetails.request, id))
  return units === 0n ? [details] : [details, leave(coin, units)]
}
