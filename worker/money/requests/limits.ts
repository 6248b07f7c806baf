import { sql } from 'drizzle-orm'
import type { Limits } from '../../../src/contract/money/limits.ts'
import { MAX_OPEN_REQUESTS } from '../../../src/contract/money/transactions.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { accountId } from '../../ledger/accounts.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { decisionTimesOf, readDecisionTimes } from '../decisionTimes/read.ts'
import { minimumOf, readMinimums } from './minimums.ts'
import { countOpen } from './open.ts'

/** What stands between an investor and a request, in one round trip. It only informs: filing decides again by itself. */
export async function getLimits({ actor, db }: ActorCall): Promise<Answer<Limits>> {
  const [minimums, [deposits], [withdrawals], [available], times] = await readTogether(
    db,
    readMinimums(),
    countOpen(actor.id, 'deposits'),
    countOpen(actor.id, 'withdrawals'),
    reading<{ balance: number }>(
      sql`SELECT balance FROM accounts WHERE id = ${accountId(actor.id, 'available')}`,
    ),
    readDecisionTimes(),
  )
  const bounds = (kind: 'deposit' | 'withdrawal', now: typeof deposits) => ({
    minimum: usdOf(minimumOf(minimums, kind)),
    open: now?.open ?? 0,
    pending: usdOf(now?.cents ?? 0),
  })
  return ok({
    frozen: actor.frozen,
    identity: actor.kyc,
    identityRequired: actor.kycRequired,
    maxOpen: MAX_OPEN_REQUESTS,
    available: usdOf(available?.balance ?? 0),
    deposits: bounds('deposit', deposits),
    withdrawals: bounds('withdrawal', withdrawals),
    decisionTimes: decisionTimesOf(times),
  })
}
