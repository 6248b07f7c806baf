import { sql } from 'drizzle-orm'
import { type Database, readTogether, runBatch, selectValues } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { creditPayments } from '../credit/credit.ts'
import { mailReceipts } from '../payments/receipts.ts'
import { listChains } from '../servers/configuration.ts'
import { CallBudget } from '../servers/server.ts'
import { deleteServersExcept } from '../servers/servers.ts'
import { observeBitcoin } from './bitcoin.ts'
import { observeEthereum } from './ethereum.ts'
import { proposeReversals } from './undone.ts'
import { reportUnsearched } from './unsearchedBlocks.ts'

/** Calls to other servers a minute. Ten more are for investors who say that they have paid (`check.ts`): 40 in all. */
const BITCOIN_CALLS = 16
/** Of the job `payouts`, while a payout is open, and of the job `reserves`, while it counts Ethereum. */
export const PAYOUT_CALLS = 6
export const RESERVE_CALLS = 2
const ETHEREUM_CALLS = 14

/** The cron job: observes the chains, credits final payments, and prepares the reversal of credited payments that left their chain. */
export async function observePayments(env: Env, db: Database, nowMs: number): Promise<void> {
  const chains = listChains(env)
  await runBatch(db, [deleteServersExcept(chains)])
  if (chains.length === 0) return
  const bitcoinCalls = BITCOIN_CALLS - (await countOtherCalls(db))
  const failures: unknown[] = []
  // A chain that fails must not stop the other one, nor the credits.
  for (const work of [
    () => observeBitcoin(env, db, new CallBudget(bitcoinCalls), nowMs),
    () => observeEthereum(env, db, new CallBudget(ETHEREUM_CALLS), nowMs),
    () => proposeReversals(db, nowMs),
    () => creditPayments(env, db, nowMs),
    () => mailReceipts(env, db, nowMs),
    () => reportUnsearched(db, nowMs),
  ])
    await work().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Calls that this minute's other jobs take from the same 40: payouts that were sent, and a count of the reserves that is under way. */
async function countOtherCalls(db: Database): Promise<number> {
  const [[taken]] = await readTogether(
    db,
    selectValues({
      calls: sql<number>`${PAYOUT_CALLS} * EXISTS (
          SELECT 1 FROM payouts WHERE state = 'released' OR (state = 'confirmed' AND problem = 'gone'))
        + ${RESERVE_CALLS} * EXISTS (SELECT 1 FROM reserve_counts)`,
    }),
  )
  return taken?.calls ?? 0
}
