import { type SQL, sql } from 'drizzle-orm'
import { getDeposit, getReceipt, type OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { Coin, Network } from '../../../src/contract/money/coins.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type PaymentRow, readPayments, toProvedPayment } from '../../chains/payments/show.ts'
import { type ActorCall, createItemRoute, ok } from '../../http/call.ts'
import { createAttachment } from '../../http/files.ts'
import { toIso } from '../../http/paging.ts'
import { buildQuery, type RowQuery, type RowsOf } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { type CreditPrice, creditPriceIn, readExchangePrices, readRates } from '../../lib/market/rates.ts'
import { type AloneFacts, deriveSoloAllowance, readAlone } from '../cases/alone.ts'
import { parseAssignment } from '../cases/assignments.ts'
import {
  describeReversal,
  findEvent,
  findReason,
  REQUEST_COLUMNS,
  type RequestFacts,
  readRequests,
  selectQueueRequest,
  toInvestor,
  toTimeline,
  type WithEvents,
} from '../cases/requests.ts'
import { describeSibling, readSiblings } from './siblings.ts'

/** The first of two approvals of a large credit. */
export interface FirstApproval {
  readonly firstBy: string | null
  readonly firstName: string | null
  readonly firstReference: string | null
  readonly firstReferenceKey: string | null
  readonly firstAmount: number | null
  readonly firstQuantity: string | null
  /** In the coin's smallest unit, as text. */
  readonly firstUnits: string | null
  readonly firstNote: string | null
  readonly firstAt: number | null
}

interface DepositFacts extends RequestFacts, FirstApproval {
  /** The name of the operator who gave the first of two approvals, once it is credited. */
  readonly firstApprover: string | null
  readonly coin: Coin
  readonly network: Network
  readonly paymentTo: string
  readonly txid: string | null
  readonly receiptKey: string
  readonly receiptType: string
  readonly quantity: string | null
  readonly rate: string | null
  /** USD per coin when it was announced; null if there was no price, or it goes to an own address. */
  readonly askedRate: string | null
  /** Whether it goes to an own address of the investor. */
  readonly isProved: 0 | 1
}

export type Deposit = WithEvents<DepositFacts>

/** Deposits by a query of ids, newest first. */
export function readDeposits(ids: SQL): RowQuery<DepositFacts> {
  return buildQuery(sql`
    SELECT ${REQUEST_COLUMNS}, d.coin, d.network, d.payment_to AS paymentTo, d.txid, d.receipt_key AS receiptKey,
           d.receipt_type AS receiptType, d.quantity, d.rate, d.asked_rate AS askedRate,
           EXISTS (SELECT 1 FROM deposit_addresses WHERE address = d.payment_to) AS isProved,
           c.operator AS firstBy, f.display_name AS firstName, c.reference AS firstReference,
           c.reference_key AS firstReferenceKey, c.amount AS firstAmount, c.quantity AS firstQuantity, CAST(c.units AS TEXT) AS firstUnits, c.note AS firstNote,
           c.at AS firstAt, (
             SELECT o.display_name FROM request_events e JOIN users o ON o.id = e.second_operator
             WHERE e.request = r.id AND e.status = 'approved') AS firstApprover
    FROM requests r JOIN users u ON u.id = r.investor JOIN deposit_details d ON d.request = r.id
    LEFT JOIN credit_approvals c ON c.request = r.id LEFT JOIN users f ON f.id = c.operator
    WHERE r.id IN (${ids}) ORDER BY r.created_at DESC, r.seq DESC`)
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

export const showDeposit = createItemRoute(
  getDeposit,
  (call: ActorCall) => readDepositCase(call, readSiblings(call.params.id ?? '')),
  async (call, [{ deposit, alone, rate, payment }, siblings]) =>
    ok({
      ...depositDetail(deposit, call),
      ...(siblings.length > 0 && { siblings: siblings.map(describeSibling) }),
      ...(payment !== null && { payment: toProvedPayment(call.env, payment) }),
      ...(deposit.status === 'pending' && {
        alone: deriveSoloAllowance(alone, payment?.amount ?? deposit.asked, [
          ...(rate === null && payment === null ? (['no_price'] as const) : []),
          ...(deposit.isProved === 1 ? (['proved'] as const) : []),
        ]),
        creditPrice: rate === null ? null : Number(rate),
      }),
    }),
)

export const showReceipt = createItemRoute(getReceipt, loadDeposit, async ({ env }, deposit) => {
  if (deposit.receiptKey === '') refuse('not_found', { msg: 'This deposit has no receipt.' })
  const file = await env.FILES.get(deposit.receiptKey)
  if (file === null) refuse('not_found', { msg: 'The receipt is no longer stored.' })
  return createAttachment(file.body, deposit.receiptType, deposit.ref)
})

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
    decidedBy: findDecider(deposit),
    firstApprovedBy: deposit.firstApprover,
    reversal: describeReversal(deposit),
    assigned: parseAssignment(deposit, call),
    isProved: deposit.isProved === 1,
    hasReceipt: deposit.receiptKey !== '',
    ...describeAwaiting(deposit),
  }
}

/** The operator who credited or rejected it. */
export function findDecider({ events }: Deposit): string | null {
  return (findEvent(events, 'approved') ?? findEvent(events, 'rejected'))?.actorName ?? null
}

export function depositDetail(deposit: Deposit, call: Pick<ActorCall, 'nowMs'>): OperatorDeposit {
  return { ...depositRow(deposit, call), timeline: toTimeline(deposit.events) }
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
