import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { payoutItems, payouts } from '../../lib/tables/payouts.ts'
import { listChains } from '../servers/configuration.ts'

/** SQL: the newest known block of the payout's chain. */
export const TIP = sql<number | null>`(
  CASE payouts.chain WHEN 'bitcoin' THEN (SELECT max(height) FROM bitcoin_headers)
  ELSE (SELECT max(height) FROM ethereum_positions) END)`

/** The newest payout of a withdrawal that was neither cancelled nor replaced; no row if there is none. */
export function readWithdrawalPayout(request: SQL) {
  const { id, chain, state, height, seq } = payouts
  const { network, units, rate, output } = payoutItems
  return selectRows({
    ...{ id, chain, state, network, rate, output, height, tip: TIP },
    units: sql<string>`CAST(${units} AS TEXT)`,
    /** The confirmed transaction. Without one, the transaction sent last. */
    txid: sql<string | null>`(SELECT txid FROM payout_transactions WHERE payout = ${id} AND txid IS NOT NULL
      ORDER BY version = ${payouts.version} DESC, version DESC LIMIT 1)`,
  })
    .from(payoutItems)
    .innerJoin(payouts, eq(id, payoutItems.payout))
    .where(sql`${payoutItems.request} = ${request} AND ${state} NOT IN ('cancelled', 'replaced')`)
    .orderBy(desc(seq))
    .limit(1)
}

export type PayoutOfWithdrawal = RowOf<typeof readWithdrawalPayout>

/**
 * Whether only the chain completes a withdrawal: its chain has an active wallet and servers, or it is in a payout. Unless another
 * transaction took the coins of its payout, which may have paid it. With a wallet and without servers two operators pay by hand
 * (`lacksServers`). The database has the same rule.
 */
export function readPaidByChain(env: Env, request: string) {
  const hasServers = sql`w.chain IN (SELECT value FROM json_each(${JSON.stringify(listChains(env))}))`
  const hasWalletSql = (which: SQL) => sql`EXISTS (
    SELECT 1 FROM withdrawal_details d JOIN chain_networks n ON n.network = d.network
      JOIN watch_wallets w ON w.chain = n.chain AND w.retired_at IS NULL
    WHERE d.request = ${request} AND ${which})`
  return selectRows({
    isSent: sql<0 | 1>`s.isSent`,
    lacksServers: sql<0 | 1>`${hasWalletSql(sql`NOT ${hasServers}`)}`,
    paidByChain: sql<0 | 1>`EXISTS (
        SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state IN ('released', 'confirmed')
        WHERE i.request = ${request})
      OR ((s.isSent OR s.isBuilt OR ${hasWalletSql(hasServers)}) AND NOT EXISTS (SELECT 1 FROM paid_elsewhere WHERE request = ${request}))`,
  }).from(sql`(SELECT EXISTS (SELECT 1 FROM sent_withdrawals WHERE request = ${request}) AS isSent, EXISTS (
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
