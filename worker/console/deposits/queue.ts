import type { listDeposits as endpoint, OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { decimal } from '../../http/csv.ts'
import { iso, type Position } from '../../http/paging.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { type AloneFacts, aloneOf, readAlone } from '../cases/limits.ts'
import { pageOrFile } from '../cases/pageOrFile.ts'
import { rateIn, readRates } from '../cases/rates.ts'
import {
  eventOf,
  oneOfQueue,
  pageOfQueue,
  positionOf,
  readEvents,
  reasonOf,
  withEvents,
} from '../cases/requests.ts'
import { type Deposit, decidedBy, depositDetail, depositRow, readDeposits } from './deposit.ts'

type QueueQuery = QueryOf<typeof endpoint>

/** Deposit requests, newest first: a page of them, or all as a file. */
export function listDeposits(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
): Promise<Answer<OperatorDeposit[]> | Response> {
  return pageOrFile(call, {
    what: 'deposits',
    read: (after, rows) => readQueue(call.db, call.query, after, rows),
    rowOf: depositRow,
    positionOf: positionOf,
    header: HEADER,
    fields,
  })
}

async function readQueue(
  db: Database,
  { status, query }: Pick<QueueQuery, 'status' | 'query'>,
  after: Position | null,
  rows: number,
): Promise<Deposit[]> {
  const ids = pageOfQueue({ queue: 'deposits', status, query, after, rows })
  const [facts, events] = await readTogether(db, readDeposits(ids), readEvents(ids))
  return withEvents(facts, events)
}

const HEADER = [
  'Reference',
  'Id',
  'Filed (UTC)',
  'Status',
  'Investor',
  'Name',
  'E-mail',
  'Coin',
  'Network',
  'Asked (USD)',
  'Amount (USD)',
  'Quantity',
  'Rate (USD)',
  'Paid to',
  'Transaction id given',
  'Transaction id credited',
  'Decided by',
  'Reason',
]

function fields(deposit: Deposit): string[] {
  return [
    deposit.ref,
    deposit.id,
    iso(deposit.createdAt),
    deposit.status,
    deposit.investor,
    deposit.investorName,
    deposit.investorEmail,
    deposit.coin,
    deposit.network,
    decimal(deposit.asked),
    decimal(deposit.amount),
    deposit.quantity ?? '',
    deposit.rate ?? '',
    deposit.paymentTo,
    deposit.txid ?? '',
    eventOf(deposit.events, 'approved')?.reference ?? '',
    decidedBy(deposit) ?? '',
    reasonOf(deposit.events) ?? '',
  ]
}

/** The deposit that `:id` names. */
export async function loadDeposit(call: ActorCall): Promise<Deposit> {
  const ids = oneOfQueue('deposits', call.params.id ?? '')
  const [facts, events] = await readTogether(call.db, readDeposits(ids), readEvents(ids))
  return withEvents(facts, events)[0] ?? refuse('not_found')
}

/** A deposit with what its asker may credit alone. */
interface DepositCase {
  readonly deposit: Deposit
  readonly alone: AloneFacts
  /** USD for one coin now; null when the market does not say. */
  readonly rate: string | null
}

/** The deposit that `:id` names, what its asker may credit alone, and the price: one round trip. */
export async function loadDepositCase(call: ActorCall): Promise<DepositCase> {
  const { db, actor, nowMs } = call
  const id = call.params.id ?? ''
  const ids = oneOfQueue('deposits', id)
  const [facts, events, alone, market] = await readTogether(
    db,
    readDeposits(ids),
    readEvents(ids),
    readAlone('deposits', id, actor.id, nowMs),
    readRates(db),
  )
  const deposit = withEvents(facts, events)[0]
  if (deposit === undefined || alone[0] === undefined) return refuse('not_found')
  return { deposit, alone: alone[0], rate: rateIn(market, deposit.coin, call) }
}

export async function showDeposit(
  _call: ActorCall,
  { deposit, alone, rate }: DepositCase,
): Promise<Answer<OperatorDeposit>> {
  return ok({
    ...depositDetail(deposit),
    ...(deposit.status === 'pending' && {
      alone: aloneOf(alone, deposit.asked, rate === null ? ['no_price'] : []),
      priceNow: rate === null ? null : Number(rate),
    }),
  })
}
