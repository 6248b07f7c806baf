import { eq, sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/withdrawals.ts'
import { COIN_SYMBOLS, type Coin } from '../../../src/contract/money/coins.ts'
import { readPaidByChain } from '../../chains/payouts/withdrawalPayout.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { formatQuantity, parseUnits, recordNetworkFee, releaseFromCustody } from '../../ledger/custody.ts'
import { payOut, release } from '../../ledger/post.ts'
import { type ArrivedQuantity, recordEvent } from '../../ledger/requestEvents.ts'
import type { Statement } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { readRates } from '../../lib/market/rates.ts'
import { withdrawalDetails } from '../../lib/tables/requests.ts'
import { parseReferenceOrRefuse } from '../../money/requests/references.ts'
import { readSettings } from '../../platform/settings/values.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import {
  buildWithdrawalApprovedMail,
  buildWithdrawalPaidMail,
  buildWithdrawalRejectedMail,
} from '../cases/mails.ts'
import { listReasonWords, tellReason } from '../cases/reasons.ts'
import { assertReferenceFree, readDebt, refuseDebtor, refuseFrozen } from '../cases/refusals.ts'
import { applyEvent, createStep, findEvent, readRequests, selectQueueRequest } from '../cases/requests.ts'
import { assertNotAssigned, readNextWork, selectPayableFrom } from '../cases/workState.ts'
import { acceptRisk } from '../risk/accept.ts'
import { readRiskFacts } from '../risk/facts.ts'
import {
  getFixedPrice,
  isFarOff,
  priceNow,
  readWithdrawals,
  toWithdrawalRow,
  type Withdrawal,
} from './withdrawal.ts'

/**
 * Approves a pending withdrawal for payout, and fixes the price at which it is paid by hand. The hold stays until it is paid. Refuses
 * a frozen account.
 */
export async function approveWithdrawal(
  call: CallOf<typeof contract.approveWithdrawal>,
  found: Awaited<ReturnType<typeof loadWithdrawalToApprove>>,
) {
  const { withdrawal, owedCents, price, nextWork } = found
  const act = { amountCents: withdrawal.amount }
  if (withdrawal.status !== 'pending') refuse('already_decided')
  assertNotAssigned(withdrawal, call)
  refuseFrozen(withdrawal)
  refuseDebtor(owedCents)
  const accepting = acceptRisk(call, 'withdrawals', found.risk, withdrawal, call.body?.riskReason)
  await assertFactor(call, act)
  const event = createStep(call, withdrawal, 'approved', price === null ? {} : { price })
  return commitWithFactor(call, act, {
    statements: [recordEvent(call.db, event), ...accepting.statements],
    audit: [{ action: 'withdrawal.approved', subject: withdrawal.id, detail: act }, ...accepting.audit],
    mails: [buildWithdrawalApprovedMail(call.env, withdrawal, call.nowMs)],
    answer: ok(
      toWithdrawalRow(
        { ...applyEvent(withdrawal, event, call.actor), accepted: accepting.accepted, work: nextWork },
        call,
      ),
    ),
  })
}

/**
 * Rejects a pending or approved withdrawal and releases its hold. The investor reads a listed reason. Triggers refuse any other
 * status, and a payout that was sent.
 */
export async function rejectWithdrawal(
  call: CallOf<typeof contract.rejectWithdrawal>,
  loaded: Awaited<ReturnType<typeof loadWithdrawalToReject>>,
) {
  const { db, env, actor, nowMs, body } = call
  const { withdrawal: found, settings } = loaded
  const { id, ref, investor, amount: amountCents } = found
  assertNotAssigned(found, call)
  const { told, note } = await tellReason(call, 'withdrawalRejection', settings, body, listReasonWords(found))
  const event = createStep(call, found, 'rejected', { note: told })
  return call.commit({
    statements: [
      recordEvent(db, event),
      release(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
      ...addInternalNote(call, investor, `${ref} rejected`, note),
    ],
    audit: [{ action: 'withdrawal.rejected', subject: id, detail: { amountCents } }],
    mails: [buildWithdrawalRejectedMail(env, found, told)],
    answer: ok(toWithdrawalRow(applyEvent(found, event, actor), call)),
  })
}

/** Loads a withdrawal and the settings with the listed reasons in one round trip. */
export async function loadWithdrawalToReject({ db, params }: ActorCall) {
  const [[withdrawal], settings] = await readRequests(
    db,
    readWithdrawals,
    selectQueueRequest('withdrawals', params.id ?? ''),
    readSettings(),
  )
  return { withdrawal: withdrawal ?? refuse('not_found'), settings }
}

/** Loads the withdrawal, its investor's debt and the price that the approval fixes in one round trip. */
export async function loadWithdrawalToApprove(call: ActorCall) {
  const id = call.params.id ?? ''
  const [[found], [debt], market, [next], [risk]] = await readRequests(
    call.db,
    readWithdrawals,
    selectQueueRequest('withdrawals', id),
    readDebt(id),
    readRates(call.db),
    readNextWork('payout', id, selectPayableFrom(sql`r.id`, sql`${call.nowMs}`)),
    readRiskFacts('withdrawals', sql`${id}`, call),
  )
  const withdrawal = found ?? refuse('not_found')
  return {
    withdrawal,
    risk,
    owedCents: debt?.owedCents ?? 0,
    price: priceNow(withdrawal, market, call),
    nextWork: next?.work ?? null,
  }
}

/** Loads the withdrawal and its investor's debt in one round trip. Refuses a frozen account. */
export async function loadWithdrawalToPay(call: ActorCall) {
  const id = call.params.id ?? ''
  const [[withdrawal], [debt], [payer], [risk]] = await readRequests(
    call.db,
    readWithdrawals,
    selectQueueRequest('withdrawals', id),
    readDebt(id),
    readPaidByChain(call.env, id),
    readRiskFacts('withdrawals', sql`${id}`, call),
  )
  if (withdrawal === undefined) return refuse('not_found')
  // A decided one is refused for that.
  if (withdrawal.status === 'approved') refuseFrozen(withdrawal)
  return { withdrawal, risk, owedCents: debt?.owedCents ?? 0, isPaidByChain: payer?.paidByChain === 1 }
}

/**
 * Records the payout of an approved withdrawal under its reference. The database decides whether it needs another operator than
 * the one who approved, because every payout changes the sum that counts.
 */
export async function completeWithdrawal(
  call: CallOf<typeof contract.completeWithdrawal>,
  { withdrawal, risk, owedCents, isPaidByChain }: Awaited<ReturnType<typeof loadWithdrawalToPay>>,
) {
  const { db, env, actor, nowMs } = call
  const { id, investor, status, amount: amountCents } = withdrawal
  if (status === 'pending')
    refuse('already_decided', { msg: 'This withdrawal is still pending. Approve it before completing it.' })
  if (status !== 'approved') refuse('already_decided')
  assertNotAssigned(withdrawal, call)
  const reference = parseReferenceOrRefuse(withdrawal.network, call.body.reference)
  if (isPaidByChain) refuse('paid_by_chain')
  refuseDebtor(owedCents)
  const sent = readHandPayout(withdrawal, call.body)
  const accepting = acceptRisk(call, 'withdrawals', risk, withdrawal, call.body.riskReason)
  const other = explainQuantity(call, withdrawal, sent)
  const act = { amountCents }
  await assertFactor(call, act, () => assertPayable(call, withdrawal, reference))
  const approver = findEvent(withdrawal.events, 'approved')?.actor
  const secondOperator = approver === actor.id ? undefined : approver
  const event = createStep(call, withdrawal, 'completed', {
    amountCents,
    reference,
    secondOperator,
    ...(sent !== null && { arrived: sent.arrived, feeUnits: sent.fee?.units }),
  })
  const paid = { ...withdrawal, accepted: accepting.accepted, ...(sent !== null && toSentColumns(sent)) }
  return commitWithFactor(call, act, {
    statements: [
      recordEvent(db, event),
      payOut(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
      ...leaveCustody(call, withdrawal, sent),
      ...accepting.statements,
      // The reason for a high risk is noted already.
      ...(accepting.statements.length === 0 ? other.statements : []),
    ],
    audit: [
      ...accepting.audit,
      {
        action: 'withdrawal.completed',
        subject: id,
        detail: {
          amountCents,
          ...(sent !== null && {
            quantity: `${formatQuantity(sent.coin, sent.arrived.units)} ${COIN_SYMBOLS[sent.coin]}`,
            txid: reference,
            ...other.detail,
          }),
          secondOperator: secondOperator ?? null,
        },
      },
    ],
    mails: [buildWithdrawalPaidMail(env, withdrawal, reference)],
    answer: ok(toWithdrawalRow(applyEvent(paid, event, actor), call)),
  })
}

/** Makes the database's own checks first, if a proof is requested, so that no proof is used up in vain. */
async function assertPayable(call: ActorCall, { heldUntil }: Withdrawal, reference: string): Promise<void> {
  if (heldUntil !== null && heldUntil > call.nowMs) refuse('destination_on_hold')
  await assertReferenceFree(call, reference)
}

/** The quantity that an operator sent by hand, in smallest units, and the network's fee in the coin that it is paid in. */
interface HandPayout {
  readonly coin: Coin
  readonly arrived: ArrivedQuantity
  readonly rate: string | null
  readonly fee: { readonly chain: 'bitcoin' | 'ethereum'; readonly units: bigint } | null
}

/**
 * Null for a bank. Without a quantity it is the one that the approval fixed. Refuses one that cannot be counted, a missing one if the
 * approval fixed none, and a fee that custody cannot book.
 */
function readHandPayout(
  withdrawal: Withdrawal,
  body: { readonly quantity?: string | undefined; readonly fee?: string | undefined },
): HandPayout | null {
  const { coin } = withdrawal
  const fee = parseFee(withdrawal, body.fee)
  if (coin === null) return null
  const price = getFixedPrice(withdrawal)
  if (body.quantity === undefined && price === null) return refuseField('quantity', contract.QUANTITY_MISSING)
  const units = body.quantity === undefined ? (price?.units ?? null) : parseUnits(coin, body.quantity)
  if (units === null) return refuseField('quantity', 'This quantity is too small or too large')
  return { coin, arrived: { units, unitsAtRate: price?.units ?? null }, rate: price?.rate ?? null, fee }
}

/**
 * What a payout adds if its quantity differs from that of the approval: a note with the reason, and the expected quantity for the audit
 * log. Refuses `reason_required` without a reason.
 */
function explainQuantity(
  call: CallOf<typeof contract.completeWithdrawal>,
  withdrawal: Withdrawal,
  sent: HandPayout | null,
): { readonly statements: readonly Statement[]; readonly detail: Readonly<Record<string, string>> } {
  const price = getFixedPrice(withdrawal)
  if (sent === null || price === null || !isFarOff(sent.arrived.units, price))
    return { statements: [], detail: {} }
  const { riskReason } = call.body
  if (riskReason === undefined)
    refuse('reason_required', {
      msg: contract.QUANTITY_REASON_MISSING,
      fields: { riskReason: contract.QUANTITY_REASON_MISSING },
    })
  return {
    statements: addInternalNote(call, withdrawal.investor, `${withdrawal.ref}, another quantity`, riskReason),
    detail: { expectedQuantity: `${formatQuantity(sent.coin, price.units)} ${COIN_SYMBOLS[sent.coin]}` },
  }
}

function parseFee({ network }: Withdrawal, fee: string | undefined): HandPayout['fee'] {
  if (fee === undefined) return null
  const chain = network === null ? undefined : contract.FEE_COINS[network]
  if (chain === undefined)
    return refuseField('fee', 'Only fees in BTC and ETH are booked. Please leave the fee out.')
  const units = parseUnits(chain, fee)
  return units === null ? refuseField('fee', 'This fee is too small or too large') : { chain, units }
}

/** The columns of a withdrawal that its payout by hand fills. */
function toSentColumns({
  coin,
  arrived,
  fee,
}: HandPayout): Pick<Withdrawal, 'quantity' | 'sentUnits' | 'feeUnits'> {
  return {
    quantity: formatQuantity(coin, arrived.units),
    sentUnits: arrived.units.toString(),
    feeUnits: fee?.units.toString() ?? null,
  }
}

/** The custody entries: the quantity that was sent and the network's fee, or dollars for a bank payout. */
function leaveCustody(call: ActorCall, { id, amount }: Withdrawal, sent: HandPayout | null): Statement[] {
  const { db, nowMs } = call
  if (sent === null) return [releaseFromCustody({ request: id, asset: 'usd', units: BigInt(amount), nowMs })]
  const { coin, arrived, rate, fee } = sent
  return [
    db
      .update(withdrawalDetails)
      .set({ quantity: formatQuantity(coin, arrived.units), rate })
      .where(eq(withdrawalDetails.request, id)),
    releaseFromCustody({ request: id, asset: coin, units: arrived.units, nowMs }),
    ...(fee === null ? [] : [recordNetworkFee(id, fee.chain, fee.units, nowMs)]),
  ]
}
