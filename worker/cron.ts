import { countBooks } from './console/books/books.ts'
import { runSelfChecks } from './console/selfCheck/run.ts'
import { endRetention } from './identity/closing/retention.ts'
import { completeRecoveries } from './identity/factorRecovery/complete.ts'
import { fileOnward } from './investing/allocations/onward.ts'
import { keepCandles } from './investing/candles/keep.ts'
import { refreshMarket } from './investing/market/refresh.ts'
import { runStrategies } from './investing/trading/run.ts'
import { openDatabase } from './lib/database.ts'
import type { Env } from './lib/env.ts'
import { deliverOutbox } from './lib/mail/outbox.ts'
import { measureDecisionTimes } from './money/decisionTimes/measure.ts'
import { publishLiabilities } from './money/liabilities/publish.ts'
import { grantReferralBonuses } from './money/referrals/grant.ts'
import { sendAnnouncements } from './outreach/announcements/send.ts'
import { sealAuditLog } from './platform/audit/seal.ts'
import { mailAuditHead } from './platform/audit/witness.ts'
import { cleanUp } from './platform/cleanUp.ts'
import { errorClass, type Ran, recordWork, WHOLE } from './platform/health/cronWork.ts'
import { streamLogs } from './platform/logStream/stream.ts'
import { rotateKeys } from './platform/rotateKeys.ts'

/** The one dispatcher, called each minute: each piece of work decides by its own clock whether it is due. */
export async function runDueWork(env: Env, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB)
  const work: Record<string, () => Promise<unknown>> = {
    outbox: () => deliverOutbox(env, db, nowMs),
    auditLog: () => sealAuditLog(db, nowMs),
    auditWitness: () => mailAuditHead(env, db, nowMs),
    cleanUp: () => cleanUp(env, nowMs),
    factorRecovery: () => completeRecoveries(env, db, nowMs),
    retention: () => endRetention(env, db, nowMs),
    wrappingKeys: () => rotateKeys(env, db, nowMs),
    onward: () => fileOnward(env, db, nowMs),
    referrals: () => grantReferralBonuses(env, db, nowMs),
    announcements: () => sendAnnouncements(env, db, nowMs),
    decisionTimes: () => measureDecisionTimes(db, nowMs),
    books: () => countBooks(db, nowMs),
    liabilities: () => publishLiabilities(db, nowMs),
    selfCheck: () => runSelfChecks(env, db, nowMs),
    // Last, since they wait for somebody else's answer.
    logs: () => streamLogs(env, db, nowMs),
    candles: () => keepCandles(env, db, nowMs),
    // By the bars that are here by now.
    strategies: () => runStrategies(env, db, nowMs),
    market: () => refreshMarket(env, db, nowMs),
  }
  const began = Date.now()
  const runs: Ran[] = []
  for (const [name, run] of Object.entries(work)) {
    const at = Date.now()
    // One that fails must not keep the others from running.
    const error = await run().then(
      () => null,
      (error: unknown) => {
        return failed(name, error)
      },
    )
    runs.push({ name, at, tookMs: Date.now() - at, error })
  }
  const whole = { name: WHOLE, at: began, tookMs: Date.now() - began, error: null }
  await recordWork(db, [...runs, whole]).catch((error: unknown) => failed(WHOLE, error))
}

/** Logs a failure, and tells of what kind it was. */
function failed(name: string, error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown'
  console.error(JSON.stringify({ level: 'error', cron: name, error: message }))
  return errorClass(message)
}
