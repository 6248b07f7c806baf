import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { CaseStep, SoloAllowance } from '../../../src/contract/console/cases.ts'
import type { getDeposit, getReceipt, OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type PaymentRow, readPayments, toProvedPayment } from '../../chains/payments/show.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { createAttachment } from '../../http/files.ts'
import { toIso } from '../../http/paging.ts'
import { toStep } from '../../http/steps.ts'
import { type RowOf, type RowQuery, type RowsOf, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { type CreditPrice, creditPriceIn, readExchangePrices, readRates } from '../../lib/market/rates.ts'
import { creditApprovals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { depositDetails } from '../../lib/tables/requests.ts'
import { type AloneFacts, deriveSoloAllowance, readAlone } from '../cases/alone.ts'
import {
  findEvent,
  findReason,
  REQUEST_FIELDS,
  r,
  readRequests,
  selectQueueRequest,
  toInvestor,
  toRequestSteps,
  u,
  type WithEvents,
} from '../cases/requests.ts'
import { parseScreening } from '../cases/screening.ts'
import { parseWork } from '../cases/workState.ts'
import { readRiskFacts } from '../risk/facts.ts'
import { deriveRisk, type RiskFacts } from '../risk/rules.ts'
import { describeSibling, readSiblings } from './siblings.ts'

export type Deposit = WithEvents<RowOf<typeof readDeposits>>

/** Deposits by a query of ids, newest first. */
export function readDeposits(ids: SQL) {
  const [d, c, f] = [alias(depositDetails, 'd'), alias(creditApprovals, 'c'), alias(users, 'f')]
  return selectRows({
    ...getTableColumns(d),
    ...REQUEST_FIELDS,
    /** Whether it goes to an own address of the investor. */
    isProved: sql<0 | 1>`EXISTS (SELECT 1 FROM deposit_addresses WHERE address = d.payment_to)`,
    /** The first of two approvals of a large credit. It stays after the second one. */
    firstBy: c.operator,
    firstName: f.displayName,
    firstReference: c.reference,
    firstReferenceKey: c.referenceKey,
    firstAmount: c.amount,
    firstQuantity: c.quantity,
    /** In the coin's smallest unit, as text. */
    firstUnits: sql<string | null>`CAST(c.units AS TEXT)`,
    firstNote: c.note,
    firstAt: c.at,
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .innerJoin(d, eq(d.request, r.id))
    .leftJoin(c, eq(c.request, r.id))
    .leftJoin(f, eq(f.id, c.operator))
    .where(sql`r.id IN (${ids})`)
    .orderBy(desc(r.createdAt), desc(r.seq))
}

export async function loadDeposit({ db, params }: ActorCall): Promise<Deposit> {
  const [[deposit]] = await readRequests(db, readDeposits, selectQueueRequest('deposits', params.id ?? ''))
  return deposit ?? refuse('not_found')
}

/** A deposit with the operator's limits and the coin's price. */
export interface DepositCase {
  readonly deposit: Deposit
  readonly alone: AloneFacts
  /** USD for one coin: the lower of the price when it was announced and the price now; null without one of them. */
  readonly rate: string | null
  /** The payment that the chain proves, once it belongs to this deposit. */
  readonly payment: PaymentRow | null
}

/** Loads a deposit's case. `further` reads share the round trip. */
export async function readDepositCase<const Reads extends readonly RowQuery<unknown>[]>(
  call: ActorCall,
  ...further: Reads
): Promise<[DepositCase, ...RowsOf<Reads>]> {
  const { db, actor, nowMs, params } = call
  const id = params.id ?? ''
  const [[deposit], [alone], market, exchange, [payment], ...others] = await readRequests(
    db,
    readDeposits,
    selectQueueRequest('deposits', id),
    readAlone('deposits', id, actor.id, nowMs),
    readRates(db),
    readExchangePrices(call.env),
    readPayments(sql`p.request = ${id}`, 1),
    ...further,
  )
  if (deposit === undefined || alone === undefined) return refuse('not_found')
  return [
    {
      deposit,
      alone,
      rate: pickLowerRate(deposit, creditPriceIn(market, exchange, deposit.coin, call)),
      payment: payment ?? null,
    },
    ...(others as unknown as RowsOf<Reads>),
  ]
}

/** The lower price counts, so the timing of an announcement or a credit gives no advantage. */
function pickLowerRate({ askedRate, isProved }: Deposit, now: CreditPrice | null): string | null {
  if (now === null || isProved === 1) return now?.rate ?? null
  if (askedRate === null) return null
  return Number(askedRate) < Number(now.rate) ? askedRate : now.rate
}

export function loadDepositToShow(call: ActorCall) {
  const id = call.params.id ?? ''
  return readDepositCase(call, readSiblings(id), readRiskFacts('deposits', sql`${id}`, call))
}

/** The operator's allowance to credit this amount alone. */
export function deriveCreditAllowance(
  { deposit, alone, rate, payment }: DepositCase,
  risk: RiskFacts | undefined,
  amountCents: number,
): SoloAllowance {
  return deriveSoloAllowance(alone, amountCents, [
    ...(rate === null && payment === null ? (['no_price'] as const) : []),
    ...(deposit.isProved === 1 ? (['proved'] as const) : []),
    ...(risk !== undefined && deriveRisk('deposits', risk).level === 'high' ? (['risk'] as const) : []),
  ])
}

export async function showDeposit(
  call: CallOf<typeof getDeposit>,
  [found, siblings, [risk]]: Awaited<ReturnType<typeof loadDepositToShow>>,
) {
  const { deposit, rate, payment } = found
  return ok({
    ...depositRow(deposit, call),
    ...(risk !== undefined && { risk: deriveRisk('deposits', risk) }),
    ...(siblings.length > 0 && { siblings: siblings.map(describeSibling) }),
    payment: payment && toProvedPayment(call.env, payment),
    ...(deposit.status === 'pending' && {
      alone: deriveCreditAllowance(found, risk, payment?.amount ?? deposit.asked),
      creditPrice: rate === null ? null : Number(rate),
    }),
  })
}

export async function showReceipt({ env }: CallOf<typeof getReceipt>, deposit: Deposit) {
  if (deposit.receiptKey === '') refuse('not_found', { msg: 'This deposit has no receipt.' })
  const file = await env.FILES.get(deposit.receiptKey)
  if (file === null) refuse('not_found', { msg: 'The receipt is no longer stored.' })
  return createAttachment(file.body, deposit.receiptType, deposit.ref)
}

export function depositRow(deposit: Deposit, call: Pick<ActorCall, 'nowMs'>): OperatorDeposit {
  const { events } = deposit
  return {
    _id: deposit.id,
    ref: deposit.ref,
    investor: toInvestor(deposit),
    status: deposit.status,
    createdAt: toIso(deposit.createdAt),
    amount: toUsd(deposit.amount),
    asked: toUsd(deposit.asked),
    type: deposit.coin,
    network: deposit.network,
    paymentTo: deposit.paymentTo,
    txid: deposit.txid,
    quantity: deposit.quantity,
    rate: deposit.rate === null ? null : Number(deposit.rate),
    reference: findEvent(events, 'approved')?.reference ?? null,
    reason: findReason(events),
    steps: toDepositSteps(deposit),
    ...parseWork(deposit, call),
    screening: parseScreening(deposit),
    isProved: deposit.isProved === 1,
    hasReceipt: deposit.receiptKey !== '',
    ...(deposit.sample === 1 && { sample: true }),
    ...describeAwaiting(deposit),
  }
}

export function toDepositSteps(deposit: Deposit): CaseStep[] {
  const { firstAt, firstBy, firstName } = deposit
  return toRequestSteps(deposit, firstAt === null ? [] : [toStep('proposed', firstAt, firstBy, firstName)])
}

function describeAwaiting(deposit: Deposit): Pick<OperatorDeposit, 'awaiting' | 'firstApproval'> {
  const { status, firstBy, firstName, firstReference, firstAmount, firstQuantity, firstAt } = deposit
  if (status !== 'pending' || firstBy === null) return {}
  if (firstReference === null || firstAmount === null || firstAt === null) return {}
  return {
    awaiting: 'second_operator',
    firstApproval: {
      by: firstName ?? '',
      byId: firstBy,
      reference: firstReference,
      amount: toUsd(firstAmount),
      hasQuantity: firstQuantity !== null,
      at: toIso(firstAt),
    },
  }
}
