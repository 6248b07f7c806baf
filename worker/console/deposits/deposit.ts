import { type SQL, sql } from 'drizzle-orm'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { Coin, Network } from '../../../src/contract/money/coins.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'
import {
  type EventFacts,
  eventOf,
  investorOf,
  REQUEST_COLUMNS,
  type RequestFacts,
  reasonOf,
  timelineOf,
} from '../cases/requests.ts'

/** The first of two approvals of a large credit. */
export interface FirstApproval {
  readonly firstBy: string | null
  readonly firstName: string | null
  readonly firstReference: string | null
  readonly firstReferenceKey: string | null
  readonly firstAmount: number | null
  readonly firstQuantity: string | null
  /** In the coin's smallest unit, as text; null where the first operator left the quantity to the price. */
  readonly firstUnits: string | null
  readonly firstNote: string | null
  readonly firstAt: number | null
}

export interface DepositFacts extends RequestFacts, FirstApproval {
  readonly coin: Coin
  readonly network: Network
  readonly paymentTo: string
  readonly txid: string | null
  readonly receiptKey: string
  readonly receiptType: string
  readonly quantity: string | null
  readonly rate: string | null
}

export interface Deposit extends DepositFacts {
  readonly events: readonly EventFacts[]
}

/** The deposits whose ids a query gives, newest first. */
export function readDeposits(ids: SQL): Read<DepositFacts> {
  return reading(sql`
    SELECT ${REQUEST_COLUMNS}, d.coin, d.network, d.payment_to AS paymentTo, d.txid, d.receipt_key AS receiptKey,
           d.receipt_type AS receiptType, d.quantity, d.rate,
           c.operator AS firstBy, f.display_name AS firstName, c.reference AS firstReference,
           c.reference_key AS firstReferenceKey, c.amount AS firstAmount, c.quantity AS firstQuantity, CAST(c.units AS TEXT) AS firstUnits, c.note AS firstNote,
           c.at AS firstAt
    FROM requests r JOIN users u ON u.id = r.investor JOIN deposit_details d ON d.request = r.id
    LEFT JOIN credit_approvals c ON c.request = r.id LEFT JOIN users f ON f.id = c.operator
    WHERE r.id IN (${ids}) ORDER BY r.created_at DESC, r.seq DESC`)
}

/** A deposit as the queue shows it. */
export function depositRow(deposit: Deposit): OperatorDeposit {
  const { events } = deposit
  const credited = eventOf(events, 'approved')
  return {
    _id: deposit.id,
    ref: deposit.ref,
    investor: investorOf(deposit),
    status: deposit.status,
    createdAt: iso(deposit.createdAt),
    amount: usdOf(deposit.amount),
    asked: usdOf(deposit.asked),
    type: deposit.coin,
    network: deposit.network,
    paymentTo: deposit.paymentTo,
    txid: deposit.txid,
    quantity: deposit.quantity,
    rate: deposit.rate === null ? null : Number(deposit.rate),
    reference: credited?.reference ?? null,
    reason: reasonOf(events),
    decidedBy: decidedBy(deposit),
    ...awaiting(deposit),
  }
}

/** The name of whoever credited or rejected it. */
export function decidedBy({ events }: Deposit): string | null {
  return (eventOf(events, 'approved') ?? eventOf(events, 'rejected'))?.actorName ?? null
}

/** A deposit with its timeline. */
export function depositDetail(deposit: Deposit): OperatorDeposit {
  return { ...depositRow(deposit), timeline: timelineOf(deposit.events) }
}

function awaiting(deposit: Deposit): Pick<OperatorDeposit, 'awaiting' | 'firstApproval'> {
  const { status, firstBy, firstName, firstReference, firstAmount, firstQuantity, firstAt } = deposit
  if (
    status !== 'pending' ||
    firstBy === null ||
    firstReference === null ||
    firstAmount === null ||
    firstAt === null
  )
    return {}
  return {
    awaiting: 'second_operator',
    firstApproval: {
      by: firstName ?? '',
      byId: firstBy,
      reference: firstReference,
      amount: usdOf(firstAmount),
      hasQuantity: firstQuantity !== null,
      at: iso(firstAt),
    },
  }
}
