import { eq, sql } from 'drizzle-orm'
import {
  type ApproveDepositBody,
  type approveDeposit as endpoint,
  type OperatorDeposit,
  QUANTITY_MISSING,
  REFERENCE_MISSING,
} from '../../../src/contract/console/deposits.ts'
import { COIN_SYMBOLS } from '../../../src/contract/money/coins.ts'
import { toReferenceKey } from '../../../src/contract/money/references.ts'
import { markCredited } from '../../chains/credit/credit.ts'
import {
  type ActorCall,
  type Answer,
  accepted,
  type CallOf,
  type CheckedCall,
  type Effect,
  ok,
} from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import {
  computeCents,
  computeQuantity,
  formatQuantity,
  parseUnits,
  takeIntoCustody,
} from '../../ledger/custody.ts'
import { recordDueBonus } from '../../ledger/dueBonus.ts'
import { credit } from '../../ledger/post.ts'
import { type ArrivedQuantity, recordEvent, toIntegerSql } from '../../ledger/requestEvents.ts'
import { selectRows } from '../../lib/database.ts'
import { findDatabaseRefusal, refuse, refuseField } from '../../lib/errors.ts'
import { custodyBalances } from '../../lib/tables/ledger.ts'
import { creditApprovals } from '../../lib/tables/operators.ts'
import { depositDetails } from '../../lib/tables/requests.ts'
import { parseReferenceOrRefuse } from '../../money/requests/references.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { depositCredited } from '../cases/mails.ts'
import { assertOwnAddresses, countMessage } from '../cases/messageToInvestor.ts'
import { assertReferenceFree, refuseFrozen } from '../cases/refusals.ts'
import { applyEvent, createStep } from '../cases/requests.ts'
import { assertNotAssigned, readNextWork } from '../cases/workState.ts'
import { acceptRisk } from '../risk/accept.ts'
import { readRiskFacts } from '../risk/facts.ts'
import type { RiskFacts } from '../risk/rules.ts'
import {
  type Deposit,
  type DepositCase,
  depositRow,
  deriveCreditAllowance,
  readDepositCase,
} from './deposit.ts'

/** A deposit with everything that the decision depends on. */
interface DepositToCredit extends DepositCase {
  /** Custody of the coin, in its smallest unit. */
  readonly custodyUnits: bigint
  readonly risk: RiskFacts | undefined
  /** Its work after a first approval. */
  readonly nextWork: string | null
}

/** The credit, as typed by an operator or as proved by the chain. */
type Credit = ApproveDepositBody & { readonly reference: string }
type ApproveCall = CheckedCall<Credit, unknown> & ActorCall

/**
 * Credits a deposit under its transaction id, or records the first of two approvals (202). Two are needed if the amount is
 * above the limit, above the announced amount or above the worth of the quantity, if the operator's credits of one day would pass the
 * limit or the daily ceiling, if the quantity is unusual, or if the risk is high. Both operators state the quantity.
 */
export async function approveDeposit(given: CallOf<typeof endpoint>, found: DepositToCredit) {
  if (found.deposit.status !== 'pending') refuse('already_decided')
  assertNotAssigned(found.deposit, given)
  // The investor reads the note.
  await assertOwnAddresses(given, 'note', given.body.note ?? '')
  const call: ApproveCall = { ...given, body: deriveCredit(given.body, found) }
  let current = found
  // The database decides. If another decision came in between, decide again on the new state.
  for (let tries = 0; tries < 3; tries++) {
    const answer = await decide(call, current)
    if (answer !== null) return answer
    current = await loadDepositToCredit(call)
  }
  return refuse('conflict')
}

/** A deposit to an own address is credited with what its payment shows, whatever an operator typed. */
function deriveCredit(body: ApproveDepositBody, { deposit, payment }: DepositToCredit): Credit {
  if (deposit.isProved === 0) {
    if (body.reference === undefined) return refuseField('reference', REFERENCE_MISSING)
    return { ...body, reference: parseReferenceOrRefuse(deposit.network, body.reference) }
  }
  if (payment?.state !== 'final' || payment.amount === null) refuse('payment_not_proved')
  const { reference, amount, units } = payment
  return { ...body, reference, amount, quantity: formatQuantity(deposit.coin, BigInt(units)) }
}

/** Loads the deposit in one round trip. Refuses a frozen account. */
export async function loadDepositToCredit(call: ActorCall): Promise<DepositToCredit> {
  const id = call.params.id ?? ''
  const [found, [custody], [next], [risk]] = await readDepositCase(
    call,
    selectRows({ units: sql<string>`CAST(balance AS TEXT)` })
      .from(custodyBalances)
      .where(sql`asset = (SELECT coin FROM deposit_details WHERE request = ${id})`),
    readNextWork('second_credit', id),
    readRiskFacts('deposits', sql`${id}`, call),
  )
  // A decided one is refused for that.
  if (found.deposit.status === 'pending') refuseFrozen(found.deposit)
  return { ...found, custodyUnits: BigInt(custody?.units ?? 0), risk, nextWork: next?.work ?? null }
}

/** One attempt; null if another decision came in between. */
async function decide(call: ApproveCall, current: DepositToCredit): Promise<Answer<OperatorDeposit> | null> {
  const { body, actor } = call
  const { deposit } = current
  if (deposit.status !== 'pending') refuse('already_decided')
  const units = requireStatedUnits(body, current)
  const amountCents = body.amount ?? deposit.firstAmount ?? computeWorthCents(current, units)
  const arrived = computeArrived(current, units, amountCents)
  const accepting = acceptRisk(call, 'deposits', current.risk, deposit, body.riskReason)

  if (deposit.firstBy === null) {
    const takesTwo =
      amountCents > deposit.asked ||
      isUnusual(arrived, amountCents) ||
      deriveCreditAllowance(current, current.risk, amountCents).needsTwo
    await assertFactor(call, { amountCents }, () => assertReferenceFree(call, body.reference))
    return takesTwo
      ? approveFirst(call, current, accepting, amountCents, units)
      : creditNow(call, current, accepting, amountCents, arrived)
  }
  const different = (
    [
      deposit.firstReferenceKey !== toReferenceKey(body.reference) && 'reference',
      deposit.firstAmount !== amountCents && 'amount',
      deposit.firstUnits !== units.toString() && 'quantity',
    ] as const
  ).filter((field) => field !== false)
  const differs = different.length > 0
  const isOwn = deposit.firstBy === actor.id
  if (isOwn || differs) await assertReferenceFree(call, body.reference)
  if (differs && !isOwn) return refuseMismatch(call, deposit, amountCents, different)
  await assertFactor(call, { amountCents }, () => assertReferenceFree(call, body.reference))
  // One operator cannot give both approvals.
  if (isOwn) refuse('second_operator_required')
  return creditNow(call, current, accepting, amountCents, arrived, deposit.firstBy)
}

/**
 * Records the refused approval: two operators who saw different payments are a sign of an error or of fraud. Names the fields that
 * differ, without the first operator's values.
 */
async function refuseMismatch(
  call: ApproveCall,
  { id }: Deposit,
  amountCents: number,
  different: readonly (keyof typeof FIELD_NAMES)[],
): Promise<never> {
  await call.commit({
    audit: [{ action: 'deposit.approval_mismatched', subject: id, detail: { amountCents } }],
  })
  const describe = (names: string) => `The first operator approved a different ${names}.`
  return refuse('approval_mismatch', {
    msg: describe(different.map((field) => FIELD_NAMES[field]).join(' and ')),
    fields: Object.fromEntries(different.map((field) => [field, describe(FIELD_NAMES[field])])),
  })
}

const FIELD_NAMES = { reference: 'transaction id', amount: 'amount', quantity: 'quantity' } as const

function approveFirst(
  call: ApproveCall,
  { deposit, nextWork }: DepositToCredit,
  { statements, audit, accepted: accepting }: ReturnType<typeof acceptRisk>,
  amountCents: number,
  units: bigint,
): Promise<Answer<OperatorDeposit> | null> {
  const { db, actor, nowMs, body } = call
  const { reference, quantity = null, note = null } = body
  const key = toReferenceKey(reference)
  const approval = { request: deposit.id, operator: actor.id, reference, quantity, note, at: nowMs }
  return commitUnlessOvertaken(call, amountCents, {
    statements: [
      db
        .insert(creditApprovals)
        .values({ ...approval, referenceKey: key, amount: amountCents, units: toIntegerSql(units) }),
      ...addInternalNote(call, deposit.investor, deposit.ref, call.body.internalNote),
      ...statements,
    ],
    audit: [{ action: 'deposit.first_approval', subject: deposit.id, detail: { amountCents } }, ...audit],
    answer: accepted(
      depositRow(
        {
          ...deposit,
          accepted: accepting,
          firstBy: actor.id,
          firstName: actor.displayName,
          firstReference: reference,
          firstReferenceKey: key,
          firstAmount: amountCents,
          firstQuantity: quantity,
          firstUnits: units.toString(),
          firstNote: note,
          firstAt: nowMs,
          work: nextWork,
        },
        call,
      ),
    ),
  })
}

function creditNow(
  call: ApproveCall,
  { deposit, rate: believed, payment }: DepositToCredit,
  { statements, audit, accepted }: ReturnType<typeof acceptRisk>,
  amountCents: number,
  arrived: ArrivedQuantity,
  secondOperator?: string,
): Promise<Answer<OperatorDeposit> | null> {
  const { db, env, actor, nowMs, body } = call
  const { id, investor, coin } = deposit
  const event = createStep(call, deposit, 'approved', {
    amountCents,
    reference: body.reference,
    arrived,
    secondOperator,
    note: body.note ?? deposit.firstNote ?? undefined,
  })
  const quantity = formatQuantity(coin, arrived.units)
  const rate = payment?.rate ?? believed
  return commitUnlessOvertaken(call, amountCents, {
    statements: [
      recordEvent(db, event),
      credit(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),
      db.update(depositDetails).set({ quantity, rate }).where(eq(depositDetails.request, id)),
      takeIntoCustody({ request: id, asset: coin, units: arrived.units, nowMs }),
      recordDueBonus(deposit, nowMs),
      markCredited(id, nowMs),
      ...addInternalNote(call, deposit.investor, deposit.ref, call.body.internalNote),
      ...(event.note === undefined ? [] : [countMessage(call)]),
      ...statements,
    ],
    audit: [
      ...audit,
      {
        action: 'deposit.credited',
        subject: id,
        detail: {
          amountCents,
          quantity: `${quantity} ${COIN_SYMBOLS[coin]}`,
          txid: event.reference ?? null,
          secondOperator: secondOperator ?? null,
        },
      },
    ],
    mails: [depositCredited(env, deposit, amountCents)],
    answer: ok(depositRow(applyEvent({ ...deposit, accepted, quantity, rate }, event, actor), call)),
  })
}

/**
 * Commits and returns the answer. Null if another decision came in between: a first approval (`conflict`), or credits of the
 * same operator that now pass the limit (`second_operator_required`).
 */
async function commitUnlessOvertaken<A extends Answer<unknown>>(
  call: ActorCall,
  amountCents: number,
  effect: Effect<A>,
): Promise<A | null> {
  try {
    return await commitWithFactor(call, { amountCents }, effect)
  } catch (error) {
    const code = findDatabaseRefusal(error)?.code
    if (code === 'conflict' || code === 'second_operator_required') return null
    throw error
  }
}

// Larger sums would overflow SQLite's 64-bit integers and become inexact.
const MOST_UNITS = 2n ** 62n
/** One fiftieth (2 %): a quantity that is worth more than the amount by more needs two operators. */
const TOLERANCE = 50n

/**
 * The quantity in the coin's smallest unit: as it was stated, or else as it was announced. Refuses one that cannot be counted, and a
 * missing one if there is no price now, or was none at the announcement, or if the first operator stated another than was announced.
 */
function requireStatedUnits(
  { quantity, amount }: Pick<ApproveDepositBody, 'quantity' | 'amount'>,
  { deposit, rate, custodyUnits }: DepositToCredit,
): bigint {
  const { coin, firstAmount, firstUnits, asked, askedRate } = deposit
  if (quantity === undefined && rate === null) return refuseField('quantity', QUANTITY_MISSING)
  const units = parseUnits(
    coin,
    quantity ?? computeQuantity(coin, amount ?? firstAmount ?? asked, askedRate ?? '0'),
  )
  if (quantity === undefined && firstUnits !== null && firstUnits !== String(units))
    return refuseField('quantity', QUANTITY_MISSING)
  if (units === null || custodyUnits + units > MOST_UNITS)
    return refuseField('quantity', 'This quantity is too small or too large')
  return units
}

/** The worth of the quantity in cents, at most the announced amount. A cent less counts as the announced amount. */
function computeWorthCents({ deposit: { coin, asked }, rate }: DepositToCredit, units: bigint): number {
  if (rate === null) return asked
  const worth = Number(computeCents(coin, units, rate))
  return worth >= asked - 1 ? asked : Math.max(1, worth)
}

/** The quantity that arrived, and that of the amount at the lower of the prices at the announcement and now. */
function computeArrived(
  { deposit: { coin }, rate }: DepositToCredit,
  units: bigint,
  amountCents: number,
): ArrivedQuantity {
  return {
    units,
    unitsAtRate: rate === null ? null : parseUnits(coin, computeQuantity(coin, amountCents, rate)),
  }
}

/**
 * Whether a quantity is worth less than the amount at that price (by more than a cent or a unit, which is rounding), or more than 2 %
 * more, or there is no price.
 */
function isUnusual({ units, unitsAtRate }: ArrivedQuantity, amountCents: number): boolean {
  if (unitsAtRate === null) return true
  const aCent = unitsAtRate / BigInt(amountCents)
  return unitsAtRate - units > (aCent > 1n ? aCent : 1n) || (units - unitsAtRate) * TOLERANCE > unitsAtRate
}
