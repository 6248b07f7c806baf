import { sendAnnouncements } from './announcements/send.ts'
import { endRetention } from './closing/retention.ts'
import { measureDecisionTimes } from './decisionTimes/measure.ts'
import type { Env } from './env.ts'
import { publishLiabilities } from './liabilities/publish.ts'
import { openDatabase } from './lib/database.ts'
import { deliverOutbox } from './lib/mail/outbox.ts'
import { refreshMarket } from './market/refresh.ts'
import { sealAuditLog } from './operator/audit/seal.ts'
import { cleanUp } from './platform/cleanUp.ts'
import { rotateKeys } from './platform/rotateKeys.ts'
import { grantReferralBonuses } from './referrals/grant.ts'
import { runSelfChecks } from './selfCheck/run.ts'

/** The one dispatcher, called each minute: each piece of work decides by its own clock whether it is due. */
export async function runDueWork(env: Env, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB)
  const work: Record<string, () => Promise<unknown>> = {
    outbox: () => deliverOutbox(env, db, nowMs),
    auditLog: () => sealAuditLog(db, nowMs),
    cleanUp: () => cleanUp(env, nowMs),
    retention: () => endRetention(env, db, nowMs),
    wrappingKeys: () => rotateKeys(env, db, nowMs),
    referrals: () => grantReferralBonuses(env, db, nowMs),
    announcements: () => sendAnnouncements(env, db, nowMs),
    decisionTimes: () => measureDecisionTimes(db, nowMs),
    liabilities: () => publishLiabilities(db, nowMs),
    selfCheck: () => runSelfChecks(env, db, nowMs),
    // Last, since it waits for somebody else's answer.
    market: () => refreshMarket(env, db, nowMs),
  }
  for (const [name, run] of Object.entries(work)) {
    // One that fails must not keep the others from running.
    await run().catch((error: unknown) =>
      console.error(
        JSON.stringify({
          level: 'error',
          cron: name,
          error: error instanceof Error ? error.message : 'unknown',
        }),
      ),
    )
  }
}
