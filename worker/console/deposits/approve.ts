import { eq, sql } from 'drizzle-orm'
import type { ApproveDepositBody, OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { referenceKey } from '../../../src/contract/money/references.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall, type Effect, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { quantityOf, takeIntoCustody } from '../../ledger/custody.ts'
import { credit } from '../../ledger/post.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { creditApprovals } from '../../lib/tables/operators.ts'
import { depositDetails } from '../../lib/tables/requests.ts'
import { letReferralFallDue } from '../../money/referrals/grant.ts'
import { type Arrived, exact, type RequestEvent, recordEvent } from '../../money/requests/events.ts'
import { referenceOrRefuse } from '../../money/requests/references.ts'
import { refuseFrozen } from '../cases/frozen.ts'
import { type AloneFacts, isAboveOwnCeiling, readAlone } from '../cases/limits.ts'
import { depositCredited } from '../cases/mails.ts'
import { rateIn, readRates } from '../cases/rates.ts'
import { assertReferenceFree } from '../cases/references.ts'
import { afterEvent, oneOfQueue, readEvents, withEvents } from '../cases/requests.ts'
import { arrivedOf, isUnusual, statedUnits } from './arrived.ts'
import { type Deposit, depositDetail, readDeposits } from './deposit.ts'

/** A deposit with what the decision about it depends on. */
export interface DepositToCredit {
  readonly deposit: Deposit
  /** What this operator credited alone within a day, and may. */
  readonly alone: AloneFacts
  /** USD for one coin now; null when the market does not say. */
  readonly rate: string | null
  readonly custodyUnits: bigint
}

type ApproveCall = CheckedCall<ApproveDepositBody, unknown> & ActorCall

/**
 * Credits what arrived under its transaction id, or records the first of two approvals and answers 202. Two are needed
 * above the limit, above what was asked, where one operator's credits of a day would add up to more than the limit or the daily
 * ceiling, and where the quantity does not fit the market's price: then both state it.
 */
export async function approveDeposit(
  given: ApproveCall,
  found: DepositToCredit,
): Promise<Answer<OperatorDeposit>> {
  // From here on only the canonical form is compared and stored.
  const reference = referenceOrRefuse(found.deposit.network, given.body.reference)
  const call: ApproveCall = { ...given, body: { ...given.body, reference } }
  let known = found
  // The database decides. Where somebody else's decision came in between, the decision is taken anew on what is true now.
  for (let tries = 0; tries < 3; tries++) {
    const answer = await decide(call, known)
    if (answer !== null) return answer
    known = await loadDepositToCredit(call)
  }
  return refuse('conflict')
}

/**
 * The deposit that `:id` names, with the limit, the operator's own credits of the day and the rate: one round trip. Refuses
 * one of a frozen account.
 */
export async function loadDepositToCredit(call: ActorCall): Promise<DepositToCredit> {
  const { db, actor, nowMs } = call
  const id = call.params.id ?? ''
  const ids = oneOfQueue('deposits', id)
  const [facts, events, alone, custody, market] = await readTogether(
    db,
    readDeposits(ids),
    readEvents(ids),
    readAlone('deposits', id, actor.id, nowMs),
    reading<{ units: string }>(sql`
      SELECT CAST(balance AS TEXT) AS units FROM custody_balances
      WHERE asset = (SELECT coin FROM deposit_details WHERE request = ${id})`),
    readRates(db),
  )
  const deposit = withEvents(facts, events)[0] ?? refuse('not_found')
  refuseFrozen(deposit)
  return {
    deposit,
    alone: alone[0] ?? refuse('not_found'),
    rate: rateIn(market, deposit.coin, call),
    custodyUnits: BigInt(custody[0]?.units ?? 0),
  }
}

/** One try. Null: another decision came in between. */
async function decide(call: ApproveCall, known: DepositToCredit): Promise<Answer<OperatorDeposit> | null> {
  const { body, actor } = call
  const { deposit, alone } = known
  const amountCents = body.amount ?? deposit.asked
  const arrived = arrivedOf(body, known, amountCents)
  if (deposit.status !== 'pending') refuse('already_decided')

  if (deposit.firstBy === null) {
    const takesTwo =
      amountCents > deposit.asked ||
      alone.usedCents + amountCents > alone.limitCents ||
      isAboveOwnCeiling(alone, amountCents) ||
      isUnusual(arrived)
    await assertFactor(call, { amountCents }, () => assertReferenceFree(call, body.reference))
    return takesTwo ? approveFirst(call, deposit, amountCents) : creditNow(call, known, amountCents, arrived)
  }
  const differs =
    deposit.firstReferenceKey !== referenceKey(body.reference) ||
    deposit.firstAmount !== amountCents ||
    // What the first operator stated, the second one states too, or leaves out where it fits the price.
    (deposit.firstUnits === null ? isUnusual(arrived) : deposit.firstUnits !== arrived.units.toString())
  const isOwn = deposit.firstBy === actor.id
  if (isOwn || differs) await assertReferenceFree(call, body.reference)
  if (differs && !isOwn) refuse('approval_mismatch')
  await assertFactor(call, { amountCents }, () => assertReferenceFree(call, body.reference))
  // Whoever approved first cannot decide again, whatever they send.
  if (isOwn) refuse('second_operator_required')
  return creditNow(call, known, amountCents, arrived, deposit.firstBy)
}

async function approveFirst(
  call: ApproveCall,
  deposit: Deposit,
  amountCents: number,
): Promise<Answer<OperatorDeposit> | null> {
  const { db, actor, nowMs, body } = call
  const first = {
    firstBy: actor.id,
    firstName: actor.displayName,
    firstReference: body.reference,
    firstReferenceKey: referenceKey(body.reference),
    firstAmount: amountCents,
    firstQuantity: body.quantity ?? null,
    firstUnits: statedUnits(deposit.coin, body)?.toString() ?? null,
    firstNote: body.note ?? null,
    firstAt: nowMs,
  }
  const answer = accepted(depositDetail({ ...deposit, ...first }))
  const approval = db.insert(creditApprovals).values({
    request: deposit.id,
    operator: actor.id,
    reference: first.firstReference,
    referenceKey: first.firstReferenceKey,
    amount: amountCents,
    quantity: first.firstQuantity,
    units: exact(statedUnits(deposit.coin, body)),
    note: first.firstNote,
    at: nowMs,
  })
  const committed = await commitUnlessOvertaken(call, amountCents, {
    statements: [approval],
    audit: [{ action: 'deposit.first_approval', subject: deposit.id, detail: { amountCents } }],
    answer,
  })
  return committed ? answer : null
}

async function creditNow(
  call: ApproveCall,
  { deposit, rate }: DepositToCredit,
  amountCents: number,
  arrived: Arrived,
  secondOperator?: string,
): Promise<Answer<OperatorDeposit> | null> {
  const { db, env, actor, nowMs, body } = call
  const note = body.note ?? deposit.firstNote
  const event: RequestEvent = {
    request: deposit.id,
    investor: deposit.investor,
    status: 'approved',
    actor: actor.id,
    atMs: nowMs,
    amountCents,
    reference: body.reference,
    arrived,
    ...(secondOperator !== undefined && { secondOperator }),
    ...(note !== null && { note }),
  }
  const quantity = quantityOf(deposit.coin, arrived.units)
  const answer = ok(depositDetail(afterEvent({ ...deposit, quantity, rate }, event, actor)))
  const committed = await commitUnlessOvertaken(call, amountCents, {
    statements: [
      recordEvent(db, event),
      credit(db, { id: deposit.id, investor: deposit.investor, amountCents }, { actor: actor.id, nowMs }),
      db.update(depositDetails).set({ quantity, rate }).where(eq(depositDetails.request, deposit.id)),
      takeIntoCustody(db, { request: deposit.id, asset: deposit.coin, units: arrived.units, nowMs }),
      letReferralFallDue(db, deposit, nowMs),
    ],
    audit: [
      {
        action: 'deposit.credited',
        subject: deposit.id,
        detail: { amountCents, secondOperator: secondOperator ?? null },
      },
    ],
    mails: [depositCredited(env, deposit, amountCents)],
    answer,
  })
  return committed ? answer : null
}

/**
 * False when another decision came in between: a first approval (`conflict`), or credits of the same operator that add
 * up to more than one may decide (`second_operator_required`).
 */
async function commitUnlessOvertaken(call: ActorCall, amountCents: number, effect: Effect): Promise<boolean> {
  try {
    await commitWithFactor(call, { amountCents }, effect)
    return true
  } catch (error) {
    const code = refusalOfDatabase(error)?.code
    if (code === 'conflict' || code === 'second_operator_required') return false
    throw error
  }
}
