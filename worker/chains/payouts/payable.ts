import { and, eq, sql } from 'drizzle-orm'
import type { Network } from '../../../src/contract/money/coins.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { accounts } from '../../lib/tables/ledger.ts'
import { users } from '../../lib/tables/people.ts'
import { requestEvents, requests, withdrawalDetails } from '../../lib/tables/requests.ts'

/** Withdrawals in coins by their ids, with everything that decides whether they can be paid. */
export function readPayable(ids: readonly string[]) {
  const { id, ref, status, amount, investor } = requests
  const { network, address, heldUntil } = withdrawalDetails
  return selectRows({
    ...{ request: id, ref, status, amount, investor, heldUntil },
    investorName: users.displayName,
    investorEmail: users.email,
    network: sql<Network>`${network}`,
    address: sql<string>`${address}`,
    frozenAt: users.frozenAt,
    owedCents: sql<number>`coalesce(-${accounts.balance}, 0)`,
    /** Who approved it. */
    approver: requestEvents.actor,
    /** The payout that it is in, unless that was cancelled, failed or replaced. */
    payout: sql<string | null>`(SELECT p.id FROM payout_items i JOIN payouts p ON p.id = i.payout
      WHERE i.request = ${id} AND p.state NOT IN ('cancelled', 'failed', 'replaced'))`,
    /** Whether a credited payment of the investor is gone from its chain. */
    hasUndone: sql<
      0 | 1
    >`EXISTS (SELECT 1 FROM payments p JOIN requests c ON c.id = p.request AND c.status = 'approved'
      WHERE p.investor = ${investor} AND p.state = 'undone')`,
    /** Whether its address is a deposit address of the platform. */
    isOwn: sql<0 | 1>`EXISTS (SELECT 1 FROM deposit_addresses WHERE address = ${address})`,
  })
    .from(requests)
    .innerJoin(users, eq(users.id, investor))
    .innerJoin(withdrawalDetails, sql`${withdrawalDetails.request} = ${id} AND ${network} IS NOT NULL`)
    .leftJoin(accounts, sql`${accounts.id} = ${investor} || ':owed'`)
    .leftJoin(requestEvents, and(eq(requestEvents.request, id), eq(requestEvents.status, 'approved')))
    .where(
      sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${requests.queue} = 'withdrawals'`,
    )
}

export type Payable = RowOf<typeof readPayable>

/** A withdrawal with the quantity that it is paid. */
export interface PaidItem extends Payable {
  readonly network: ProvedNetwork
  /** In the coin's smallest unit of custody. */
  readonly units: bigint
  /** In the network's smallest unit. */
  readonly quantity: bigint
  /** USD for one coin. */
  readonly rate: string
}
