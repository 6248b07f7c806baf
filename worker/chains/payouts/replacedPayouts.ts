import { sql } from 'drizzle-orm'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { recordAudit } from '../../http/audit.ts'
import { buildQuery, type Database, readTogether, runBatch } from '../../lib/database.ts'
import { SYSTEM } from '../credit/credit.ts'

interface ReplacedPayout {
  readonly id: string
  /** JSON: the other transaction. */
  readonly spend: string
}

interface Spend {
  readonly txid: string
  readonly height: number
  readonly hash: string
}

/**
 * Ends released payouts of a chain that can never be mined, because another final transaction spent their coins or used their nonce. Their
 * withdrawals stay approved with their holds, and can be in another payout. Reports cancelled payouts that were mined nevertheless.
 */
export async function endReplacedPayouts(db: Database, chain: Chain, nowMs: number): Promise<void> {
  const [displaced, mined] = await readTogether(
    db,
    buildQuery<ReplacedPayout>(sql`
      SELECT p.id, (
          SELECT json_object('txid', s.txid, 'height', s.height, 'hash', s.block_hash) FROM payout_spends s WHERE s.payout = p.id LIMIT 1
        ) AS spend
      FROM payouts p
      WHERE p.chain = ${chain} AND p.state = 'released' AND EXISTS (SELECT 1 FROM displaced_payouts d WHERE d.payout = p.id)`),
    buildQuery<{ id: string }>(sql`
      SELECT p.id FROM payouts p
      WHERE p.chain = ${chain} AND p.state = 'cancelled' AND p.problem IS NULL
        AND EXISTS (SELECT 1 FROM payout_spends s WHERE s.payout = p.id AND s.is_own = 1)`),
  )
  for (const { id, spend } of displaced) {
    const { txid, height, hash } = JSON.parse(spend) as Spend
    reportAlarm(id, 'Another transaction took the coins or the nonce of a payout.')
    await runBatch(db, [
      sql`
        UPDATE payouts SET state = 'replaced', replaced_by = ${txid}, version = NULL, height = ${height}, block_hash = ${hash},
          confirmed_at = ${nowMs}, checked_at = ${nowMs}, problem = NULL
        WHERE id = ${id} AND state = 'released'`,
      recordAudit(db, SYSTEM, { action: 'payout.displaced', subject: id, detail: { txid, height } }, nowMs),
    ])
  }
  for (const { id } of mined) {
    reportAlarm(id, 'A cancelled payout was mined.')
    await runBatch(db, [sql`UPDATE payouts SET problem = 'mined' WHERE id = ${id} AND state = 'cancelled'`])
  }
}

function reportAlarm(payout: string, problem: string): void {
  console.error(JSON.stringify({ level: 'alarm', payout, problem }))
}

/** A cancelled payout whose transaction may have been signed, and that no other final transaction has made impossible. */
export interface CancelledPayout {
  /** The reference of a withdrawal in it. */
  readonly ref: string
  /** The coins that it spends, `txid:n`. Empty on Ethereum. */
  readonly spends: readonly string[]
  /** Null on Bitcoin. */
  readonly nonce: number | null
}

/** The cancelled payouts, by their id, that could still pay one of these withdrawals. */
export async function readCancelled(
  db: Database,
  withdrawals: readonly string[],
): Promise<ReadonlyMap<string, CancelledPayout>> {
  const [rows] = await readTogether(
    db,
    buildQuery<{ payout: string; ref: string; spends: string; nonce: number | null }>(sql`
      SELECT u.payout, r.ref, json_extract(t.details, '$.nonce') AS nonce,
             (SELECT json_group_array(coin) FROM payout_coins WHERE payout = u.payout) AS spends
      FROM unreleased_withdrawals u JOIN requests r ON r.id = u.request JOIN payout_transactions t ON t.payout = u.payout
      WHERE u.state = 'cancelled' AND u.request IN (SELECT value FROM json_each(${JSON.stringify(withdrawals)}))`),
  )
  return new Map(
    rows.map(({ payout, spends, ...row }) => [payout, { ...row, spends: JSON.parse(spends) as string[] }]),
  )
}
