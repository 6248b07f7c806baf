import { type SQL, sql } from 'drizzle-orm'
import type { PayoutState } from '../../../src/contract/console/payoutStates.ts'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { type Chain, CONFIRMATIONS_NEEDED, type ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import { buildQuery, type RowQuery } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { listChains } from '../servers/configuration.ts'

/** SQL: the newest known block of the payout's chain. */
export const TIP = sql`CASE p.chain WHEN 'bitcoin' THEN (SELECT max(height) FROM bitcoin_headers)
  ELSE (SELECT max(height) FROM ethereum_positions) END`

/** The payout of a withdrawal. */
export interface PayoutOfWithdrawal {
  readonly id: string
  readonly chain: Chain
  readonly state: PayoutState
  readonly network: ProvedNetwork
  readonly units: string
  readonly rate: string
  readonly output: number
  readonly height: number | null
  readonly tip: number | null
  /** The transaction that is in a block, or the last one that was sent. */
  readonly txid: string | null
}

/** The newest payout of a withdrawal that was neither cancelled nor replaced; no row if there is none. */
export function readWithdrawalPayout(request: SQL): RowQuery<PayoutOfWithdrawal> {
  return buildQuery(sql`
    SELECT p.id, p.chain, p.state, i.network, CAST(i.units AS TEXT) AS units, i.rate, i.output, p.height, ${TIP} AS tip,
           (SELECT txid FROM payout_transactions WHERE payout = p.id AND txid IS NOT NULL
            ORDER BY version = p.version DESC, version DESC LIMIT 1) AS txid
    FROM payout_items i JOIN payouts p ON p.id = i.payout
    WHERE i.request = ${request} AND p.state NOT IN ('cancelled', 'replaced') ORDER BY p.seq DESC LIMIT 1`)
}

/**
 * Whether only the chain completes a withdrawal: its chain has an active wallet and servers, or it is in a payout. Unless another
 * transaction took the coins of its payout, which may have paid it. With a wallet and without servers two operators pay by hand
 * (`lacksServers`). The database has the same rule.
 */
export function readPaidByChain(
  env: Env,
  request: string,
): RowQuery<{ paidByChain: 0 | 1; isSent: 0 | 1; lacksServers: 0 | 1 }> {
  const hasServers = sql`w.chain IN (SELECT value FROM json_each(${JSON.stringify(listChains(env))}))`
  const hasWalletSql = (which: SQL) => sql`EXISTS (
    SELECT 1 FROM withdrawal_details d JOIN chain_networks n ON n.network = d.network
      JOIN watch_wallets w ON w.chain = n.chain AND w.retired_at IS NULL
    WHERE d.request = ${request} AND ${which})`
  return buildQuery(sql`
    SELECT s.isSent, ${hasWalletSql(sql`NOT ${hasServers}`)} AS lacksServers, EXISTS (
        SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state IN ('released', 'confirmed')
        WHERE i.request = ${request})
      OR ((s.isSent OR s.isBuilt OR ${hasWalletSql(hasServers)}) AND NOT EXISTS (SELECT 1 FROM paid_elsewhere WHERE request = ${request})) AS paidByChain
    FROM (SELECT EXISTS (SELECT 1 FROM sent_withdrawals WHERE request = ${request}) AS isSent, EXISTS (
        SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'built'
        WHERE i.request = ${request}) AS isBuilt) s`)
}

/** What an operator and the investor see of a payout. */
export function toPayoutFigures(payout: PayoutOfWithdrawal) {
  return {
    quantity: formatQuantity(getCoinOfNetwork(payout.network), BigInt(payout.units)),
    rate: payout.rate,
    txid: payout.txid,
    confirmations: countPayoutConfirmations(payout),
    needed: CONFIRMATIONS_NEEDED[payout.chain],
  }
}

/** Confirmations so far, at most as many as are needed. */
export function countPayoutConfirmations({
  chain,
  state,
  height,
  tip,
}: Pick<PayoutOfWithdrawal, 'chain' | 'state' | 'height' | 'tip'>): number {
  const needed = CONFIRMATIONS_NEEDED[chain]
  if (state === 'confirmed' || state === 'failed') return needed
  if (height === null) return 0
  return Math.min(needed, Math.max(1, (tip ?? 0) - height + 1))
}
