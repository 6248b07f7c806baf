import type {
  listWithdrawals as endpoint,
  OperatorWithdrawal,
} from '../../../src/contract/console/withdrawals.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { decimal } from '../../http/csv.ts'
import { iso, type Position } from '../../http/paging.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { masked } from '../../money/requests/history.ts'
import { readDebt } from '../cases/debt.ts'
import { type AloneFacts, aloneOf, readAlone } from '../cases/limits.ts'
import { pageOrFile } from '../cases/pageOrFile.ts'
import { oneOfQueue, pageOfQueue, positionOf, readEvents, withEvents } from '../cases/requests.ts'
import { comparedWith, type LastPaid, readLastPaid } from './lastPaid.ts'
import { readRisk, type StoredRisk } from './risk/facts.ts'
import { signalsOf } from './risk/signals.ts'
import { readWithdrawals, type Withdrawal, withdrawalDetail, withdrawalRow } from './withdrawal.ts'

type QueueQuery = QueryOf<typeof endpoint>

/** Withdrawal requests of both kinds, newest first: a page of them, or all as a file. */
export function listWithdrawals(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
): Promise<Answer<OperatorWithdrawal[]> | Response> {
  return pageOrFile(call, {
    what: 'withdrawals',
    read: (after, rows) => readQueue(call.db, call.query, after, rows),
    rowOf: withdrawalRow,
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
): Promise<Withdrawal[]> {
  const ids = pageOfQueue({ queue: 'withdrawals', status, query, after, rows })
  const [facts, events] = await readTogether(db, readWithdrawals(ids), readEvents(ids))
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
  'Kind',
  'Amount (USD)',
  'Coin',
  'Network',
  'Address',
  'Bank',
  'Account (last four)',
  'Extra proof',
  'Why it was asked for',
  'Paid from (UTC)',
  'Approved by',
  'Completed by',
  'Paid under',
  'Reason',
]

// Whole account numbers stay on the screen where somebody pays.
function fields(withdrawal: Withdrawal): string[] {
  const row = withdrawalRow(withdrawal)
  return [
    row.ref,
    row._id,
    row.createdAt,
    row.status,
    row.investor._id,
    row.investor.name,
    row.investor.email,
    row.trxType,
    decimal(withdrawal.amount),
    row.type ?? '',
    row.network ?? '',
    row.address ?? '',
    row.bank?.bankName ?? '',
    row.bank === null ? '' : masked(row.bank.accountNumber),
    row.proof,
    row.reasons.join(' '),
    withdrawal.heldUntil === null ? '' : iso(withdrawal.heldUntil),
    row.approvedBy ?? '',
    row.completedBy ?? '',
    row.reference ?? '',
    row.reason ?? '',
  ]
}

/** The withdrawal that `:id` names, with what its investor owes. */
export async function loadWithdrawal(call: ActorCall): Promise<Withdrawal & { readonly owedCents: number }> {
  const id = call.params.id ?? ''
  const ids = oneOfQueue('withdrawals', id)
  const [facts, events, [debt]] = await readTogether(
    call.db,
    readWithdrawals(ids),
    readEvents(ids),
    readDebt(id),
  )
  const withdrawal = withEvents(facts, events)[0] ?? refuse('not_found')
  return { ...withdrawal, owedCents: debt?.owedCents ?? 0 }
}

/** The withdrawal that `:id` names, with what speaks against it and what its asker may pay alone: one round trip. */
export async function loadWithdrawalCase(call: ActorCall): Promise<WithdrawalCase> {
  const id = call.params.id ?? ''
  const ids = oneOfQueue('withdrawals', id)
  const [facts, events, risk, alone, lastPaid] = await readTogether(
    call.db,
    readWithdrawals(ids),
    readEvents(ids),
    readRisk(id),
    readAlone('withdrawals', id, call.actor.id, call.nowMs),
    readLastPaid(id),
  )
  const withdrawal = withEvents(facts, events)[0]
  if (withdrawal === undefined || risk[0] === undefined || alone[0] === undefined) return refuse('not_found')
  return { withdrawal, risk: risk[0], alone: alone[0], lastPaid: lastPaid[0] ?? null }
}

interface WithdrawalCase {
  readonly withdrawal: Withdrawal
  readonly risk: StoredRisk
  readonly alone: AloneFacts
  readonly lastPaid: LastPaid | null
}

export async function showWithdrawal(
  { nowMs }: ActorCall,
  { withdrawal, risk, alone, lastPaid }: WithdrawalCase,
): Promise<Answer<OperatorWithdrawal>> {
  const { amount, createdAt, heldUntil, status, events } = withdrawal
  const isOpen = status === 'pending' || status === 'approved'
  const untilMs = isOpen ? nowMs : Math.max(...events.map(({ at }) => at))
  return ok({
    ...withdrawalDetail(withdrawal),
    ...(withdrawal.bank !== null && { lastPaid: comparedWith(lastPaid, withdrawal.bank) }),
    signals: signalsOf({ ...risk, amountCents: amount, filedAt: createdAt, isOpen, heldUntil, untilMs }),
    ...(isOpen && { alone: aloneOf(alone, amount) }),
  })
}
