import { sql } from 'drizzle-orm'
import type { Network } from '../../../src/contract/money/coins.ts'
import type { RequestStatus } from '../../../src/contract/money/transactions.ts'
import { buildQuery, type RowQuery } from '../../lib/database.ts'

/** A withdrawal with everything that decides whether it can be paid. */
export interface Payable {
  readonly request: string
  readonly ref: string
  readonly status: RequestStatus
  /** Cents. */
  readonly amount: number
  readonly investor: string
  readonly investorName: string
  readonly investorEmail: string
  readonly network: Network
  readonly address: string
  readonly heldUntil: number | null
  readonly frozenAt: number | null
  readonly owedCents: number
  /** Who approved it. */
  readonly approver: string | null
  /** The payout that it is in, unless that was cancelled, failed or replaced. */
  readonly payout: string | null
  /** Whether a credited payment of the investor is gone from its chain. */
  readonly hasUndone: 0 | 1
  /** Whether its address is a deposit address of the platform. */
  readonly isOwn: 0 | 1
}

/** A withdrawal with the quantity that it is paid. */
export interface PaidItem extends Payable {
  /** In the coin's smallest unit of custody. */
  readonly units: bigint
  /** In the network's smallest unit. */
  readonly quantity: bigint
  /** USD for one coin. */
  readonly rate: string
}

/** Withdrawals in coins by their ids. */
export function readPayable(ids: readonly string[]): RowQuery<Payable> {
  return buildQuery(sql`
    SELECT r.id AS request, r.ref, r.status, r.amount, r.investor, u.display_name AS investorName, u.email AS investorEmail,
           d.network, d.address, d.held_until AS heldUntil, u.frozen_at AS frozenAt, coalesce(-o.balance, 0) AS owedCents,
           e.actor AS approver,
           (SELECT p.id FROM payout_items i JOIN payouts p ON p.id = i.payout
            WHERE i.request = r.id AND p.state NOT IN ('cancelled', 'failed', 'replaced')) AS payout,
           EXISTS (SELECT 1 FROM payments p JOIN requests c ON c.id = p.request AND c.status = 'approved'
            WHERE p.investor = r.investor AND p.state = 'undone') AS hasUndone,
           EXISTS (SELECT 1 FROM deposit_addresses WHERE address = d.address) AS isOwn
    FROM requests r JOIN users u ON u.id = r.investor JOIN withdrawal_details d ON d.request = r.id AND d.network IS NOT NULL
      LEFT JOIN accounts o ON o.id = r.investor || ':owed'
      LEFT JOIN request_events e ON e.request = r.id AND e.status = 'approved'
    WHERE r.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND r.queue = 'withdrawals'`)
}
