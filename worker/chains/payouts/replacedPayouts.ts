import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { recordAudit } from '../../http/audit.ts'
import { type Database, parseStored, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import { payouts, payoutTransactions } from '../../lib/tables/payouts.ts'
import { requests } from '../../lib/tables/requests.ts'
import { SYSTEM } from '../credit/credit.ts'
import { updatePayout } from './statements.ts'

/** The transaction that spent the coins of a payout or used its nonce. */
const spendingTransaction = z.object({ txid: z.string(), height: z.number(), hash: z.string() })

/**
 * Ends released payouts of a chain that can never be mined, because another final transaction spent their coins or used their nonce. Their
 * withdrawals stay approved with their holds, and can be in another payout. Reports cancelled payouts that were mined nevertheless.
 */
export async function endReplacedPayouts(db: Database, chain: Chain, nowMs: number): Promise<void> {
  const [displaced, mined] = await readTogether(
    db,
    selectRows({
      id: payouts.id,
      spend: sql<string>`(
        SELECT json_object('txid', s.txid, 'height', s.height, 'hash', s.block_hash) FROM payout_spends s
        WHERE s.payout = payouts.id LIMIT 1)`,
    })
      .from(payouts)
      .where(sql`chain = ${chain} AND state = 'released'
        AND EXISTS (SELECT 1 FROM displaced_payouts d WHERE d.payout = payouts.id)`),
    selectRows({ id: payouts.id })
      .from(payouts)
      .where(sql`chain = ${chain} AND state = 'cancelled' AND problem IS NULL
        AND EXISTS (SELECT 1 FROM payout_spends s WHERE s.payout = payouts.id AND s.is_own = 1)`),
  )
  for (const { id, spend } of displaced) {
    const { txid, height, hash } = parseStored(spendingTransaction, spend)
    reportAlarm(id, 'Another transaction took the coins or the nonce of a payout.')
    await runBatch(db, [
      updatePayout(
        db,
        { id, state: 'released' },
        {
          ...{ state: 'replaced', replacedBy: txid, version: null, height, blockHash: hash },
          ...{ confirmedAt: nowMs, checkedAt: nowMs, problem: null },
        },
      ),
      recordAudit(db, SYSTEM, { action: 'payout.displaced', subject: id, detail: { txid, height } }, nowMs),
    ])
  }
  for (const { id } of mined) {
    reportAlarm(id, 'A cancelled payout was mined.')
    await runBatch(db, [updatePayout(db, { id, state: 'cancelled' }, { problem: 'mined' })])
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
  const { payout, details } = payoutTransactions
  const rows = await db
    .select({
      payout,
      ref: requests.ref,
      nonce: sql<number | null>`json_extract(${details}, '$.nonce')`,
      spends: sql<string>`(SELECT json_group_array(coin) FROM payout_coins WHERE payout = u.payout)`,
    })
    .from(requests)
    .innerJoin(sql`unreleased_withdrawals u`, sql`u.request = ${requests.id}`)
    .innerJoin(payoutTransactions, eq(payout, sql`u.payout`))
    .where(sql`u.state = 'cancelled'
      AND u.request IN (SELECT value FROM json_each(${JSON.stringify(withdrawals)}))`)
  return new Map(
    rows.map(({ payout, spends, ...row }) => [
      payout,
      { ...row, spends: parseStored(z.array(z.string()), spends) },
    ]),
  )
}
