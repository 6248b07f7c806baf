import type { Database } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import type { Env } from '../../lib/env.ts'
import { countBitcoin } from './countBitcoin.ts'
import { countEthereum } from './countEthereum.ts'

/**
 * The cron job: counts once a day the coins of the watch-only wallets at a named block, beside the books. A count that was interrupted
 * goes on in the next minute. A shortfall beyond the setting stops payouts and raises the alarm.
 */
export async function countReserves(env: Env, db: Database, nowMs: number): Promise<void> {
  const day = formatIsoDay(nowMs)
  const failures: unknown[] = []
  // A chain that fails must not stop the other one.
  for (const count of [countBitcoin, countEthereum])
    await count(env, db, day, nowMs).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
