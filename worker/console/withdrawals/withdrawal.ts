import { type SQL, sql } from 'drizzle-orm'
import type { BankDetails, OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
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

export interface WithdrawalFacts extends RequestFacts {
  readonly coin: Coin | null
  readonly network: Network | null
  readonly address: string | null
  /** JSON of the bank's fields. */
  readonly bank: string | null
  readonly proof: 'none' | 'email' | 'totp' | 'passkey'
  /** JSON: why proof was asked for. */
  readonly reasons: string
  readonly heldUntil: number | null
}

export interface Withdrawal extends WithdrawalFacts {
  readonly events: readonly EventFacts[]
}

/** The withdrawals whose ids a query gives, newest first. */
export function readWithdrawals(ids: SQL): Read<WithdrawalFacts> {
  return reading(sql`
    SELECT ${REQUEST_COLUMNS}, d.coin, d.network, d.address, d.bank, d.proof, d.reasons,
           d.held_until AS heldUntil
    FROM requests r JOIN users u ON u.id = r.investor JOIN withdrawal_details d ON d.request = r.id
    WHERE r.id IN (${ids}) ORDER BY r.created_at DESC, r.seq DESC`)
}

/** A withdrawal as the queue shows it. */
export function withdrawalRow(withdrawal: Withdrawal): OperatorWithdrawal {
  const { events, kind } = withdrawal
  const approved = eventOf(events, 'approved')
  const paid = eventOf(events, 'completed')
  return {
    _id: withdrawal.id,
    ref: withdrawal.ref,
    investor: investorOf(withdrawal),
    status: withdrawal.status,
    createdAt: iso(withdrawal.createdAt),
    amount: usdOf(withdrawal.amount),
    trxType: kind,
    type: withdrawal.coin,
    network: withdrawal.network,
    address: withdrawal.address,
    bank: withdrawal.bank === null ? null : bankOf(withdrawal.bank),
    proof: withdrawal.proof,
    reasons: reasonsOf(withdrawal.reasons),
    heldUntil: withdrawal.heldUntil === null ? null : iso(withdrawal.heldUntil),
    approvedBy: approved?.actorName ?? null,
    approvedById: approved?.actor ?? null,
    completedBy: paid?.actorName ?? null,
    reference: paid?.reference ?? null,
    reason: reasonOf(events),
  }
}

/** A withdrawal with its timeline. */
export function withdrawalDetail(withdrawal: Withdrawal): OperatorWithdrawal {
  return { ...withdrawalRow(withdrawal), timeline: timelineOf(withdrawal.events) }
}

// What was stored passed the contract's schema when the withdrawal was filed.
function bankOf(json: string): BankDetails {
  const bank = JSON.parse(json) as Omit<BankDetails, 'withdrawalType'> & { withdrawalType?: string | null }
  return { ...bank, withdrawalType: bank.withdrawalType ?? null }
}

function reasonsOf(json: string): string[] {
  return JSON.parse(json) as string[]
}
