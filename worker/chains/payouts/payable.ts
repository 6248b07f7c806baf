import { and, eq, sql } from 'drizzle-orm'
import { REFUSALS, type RefusalCode } from '../../../src/contract/errors.ts'
import type { Network } from '../../../src/contract/money/coins.ts'
import {
  CHAIN_NETWORKS,
  type Chain,
  isProvedNetwork,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { refuseAsFrozen } from '../../ledger/frozen.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
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
    /** Whether compliance has not cleared a possible hit. */
    hasOpenHit: sql<
      0 | 1
    >`EXISTS (SELECT 1 FROM sanctions_hits h WHERE h.investor = ${investor} AND h.cleared_at IS NULL)`,
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

/**
 * Refuses a withdrawal that may not be paid now, in words that name it, because a payout may have many. The database refuses the same
 * again when the payout is released. `ownPayout` is the payout that it is in.
 */
export function assertPayable(
  withdrawal: Payable,
  chain: Chain,
  nowMs: number,
  ownPayout: string | null = null,
): void {
  const { ref, status, network, heldUntil, owedCents } = withdrawal
  const refuseItem = (code: RefusalCode) => refuse(code, { msg: `${ref}: ${REFUSALS[code][1]}` })
  if (network === null || !isProvedNetwork(network) || CHAIN_NETWORKS[network].chain !== chain)
    refuseField('withdrawals', `${ref} is not paid on this chain.`)
  if (withdrawal.frozenAt !== null) refuseAsFrozen(ref)
  if (withdrawal.hasOpenHit) refuseItem('sanctions_hit_open')
  if (status === 'pending')
    refuse('already_decided', { msg: `${ref} is still pending. Approve it before paying it.` })
  if (status !== 'approved') refuseItem('already_decided')
  if (withdrawal.payout !== ownPayout) refuse('conflict', { msg: `${ref} is already in a payout.` })
  if (heldUntil !== null && heldUntil > nowMs) refuseItem('destination_on_hold')
  if (owedCents > 0)
    refuse('debt_outstanding', {
      msg: `The investor of ${ref} owes ${formatCents(owedCents)}. Reject it: the released hold repays the debt first.`,
    })
  if (withdrawal.hasUndone) refuseItem('payment_undone')
  // Its transaction would be a deposit and a payout under the same reference.
  if (withdrawal.isOwn)
    refuseField(
      'withdrawals',
      `${ref} goes to a deposit address of this platform. Reject it, with this as the reason.`,
    )
}

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
