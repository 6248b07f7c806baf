import type { CronJob } from '../src/contract/console/cronJobs.ts'
import { countBooks } from './console/books/books.ts'
import { runSelfChecks } from './console/selfCheck/run.ts'
import { endRetention } from './identity/closing/retention.ts'
import { completeRecoveries } from './identity/factorRecovery/complete.ts'
import { fileOnward } from './investing/allocations/onward.ts'
import { keepCandles } from './investing/candles/keep.ts'
import { refreshMarket } from './investing/market/refresh.ts'
import { runStrategies } from './investing/trading/run.ts'
import { workVenue } from './investing/venueAccount/configuration.ts'
import { type Database, openDatabase } from './lib/database.ts'
import type { Env } from './lib/env.ts'
import { messageForLog } from './lib/errors.ts'
import { deliverOutbox } from './lib/mail/outbox.ts'
import { runtime } from './lib/runtime.ts'
import { observePayments } from './money/chain/observe.ts'
import { measureDecisionTimes } from './money/decisionTimes/measure.ts'
import { publishLiabilities } from './money/liabilities/publish.ts'
import { followPayouts } from './money/payouts/follow.ts'
import { grantReferralBonuses } from './money/referrals/grant.ts'
import { countReserves } from './money/reserves/count.ts'
import { sendAnnouncements } from './outreach/announcements/send.ts'
import { sealAuditLog } from './platform/audit/seal.ts'
import { mailAuditHead } from './platform/audit/witness.ts'
import { cleanUp } from './platform/cleanUp.ts'
import { CRON, errorClass, type JobRun, recordWork } from './platform/health/cronWork.ts'
import { streamLogs } from './platform/logStream/stream.ts'
import { rotateKeys } from './platform/rotateKeys.ts'

type Run = (env: Env, db: Database, nowMs: number) => Promise<unknown>

/** The jobs in the order in which they run, every minute. Each job decides by its own schedule whether it is due. */
const JOBS: Readonly<Record<CronJob, Run>> = {
  outbox: deliverOutbox,
  auditLog: (_env, db, nowMs) => sealAuditLog(db, nowMs),
  auditWitness: mailAuditHead,
  cleanUp: (env, _db, nowMs) => cleanUp(env, nowMs),
  factorRecovery: completeRecoveries,
  retention: endRetention,
  wrappingKeys: rotateKeys,
  onward: fileOnward,
  referrals: grantReferralBonuses,
  announcements: sendAnnouncements,
  decisionTimes: (_env, db, nowMs) => measureDecisionTimes(db, nowMs),
  books: (_env, db, nowMs) => countBooks(db, nowMs),
  liabilities: (_env, db, nowMs) => publishLiabilities(db, nowMs),
  selfCheck: runSelfChecks,
  // Last, because these wait for other servers.
  logs: streamLogs,
  candles: keepCandles,
  // After `candles`, whose bars it trades on.
  strategies: runStrategies,
  // After `strategies`, whose orders it sends.
  venue: workVenue,
  market: refreshMarket,
  // After `market`, whose prices it credits at.
  payments: observePayments,
  // After `payments`, whose blocks it looks into.
  payouts: followPayouts,
  reserves: countReserves,
}

/**
 * Runs every job that is due, one after the other, and records the runs. Called each minute. Only the simulator skips jobs, at most
 * of its minutes.
 */
export async function runDueWork(
  env: Env,
  nowMs: number,
  skipped: ReadonlySet<CronJob> = new Set(),
): Promise<void> {
  const db = openDatabase(env.DB)
  const began = runtime.now()
  const runs: JobRun[] = []
  for (const [name, run] of Object.entries(JOBS) as [CronJob, Run][]) {
    if (skipped.has(name)) continue
    const at = runtime.now()
    // A failing job must not stop the others.
    const error = await run(env, db, nowMs).then(
      () => null,
      (error: unknown) => logFailure(name, error),
    )
    runs.push({ name, at, tookMs: runtime.now() - at, error })
  }
  const cron = { name: CRON, at: began, tookMs: runtime.now() - began, error: null }
  await recordWork(db, [...runs, cron]).catch((error: unknown) => logFailure(CRON, error))
}

/** Logs a failure and returns its kind. */
function logFailure(name: string, error: unknown): string {
  const message = messageForLog(error)
  console.error(JSON.stringify({ level: 'error', cron: name, error: message }))
  return errorClass(message)
}
