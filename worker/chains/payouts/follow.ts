import type { Database } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { PAYOUT_CALLS } from '../follow/observe.ts'
import { CallBudget } from '../servers/server.ts'
import { followBitcoinPayouts } from './followBitcoin.ts'
import { followEthereumPayouts } from './followEthereum.ts'

/**
 * The cron job: sends released payouts again until servers know them, finds the version that was mined, and completes the withdrawals once
 * the chain confirms it. The chains take turns, so that each of them has calls in every second minute at least.
 */
export async function followPayouts(env: Env, db: Database, nowMs: number): Promise<void> {
  const budget = new CallBudget(PAYOUT_CALLS)
  const chains = [
    () => followBitcoinPayouts(env, db, budget, nowMs),
    () => followEthereumPayouts(env, db, budget, nowMs),
  ]
  const failures: unknown[] = []
  // A chain that fails must not stop the other one.
  for (const follow of Math.floor(nowMs / 60_000) % 2 === 0 ? chains : chains.toReversed())
    await follow().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
