import type { CronJob } from '../src/contract/console/cronJobs.ts'
import { sum } from '../src/contract/numbers.ts'
import { observePayments } from './chains/follow/observe.ts'
import { followPayouts } from './chains/payouts/follow.ts'
import { countReserves } from './chains/reserves/count.ts'
import { countBooks } from './console/books/books.ts'
import { runSelfChecks } from './console/selfCheck/run.ts'
import { reconcile } from './console/treasury/reconcile.ts'
import { mailOverdue } from './console/work/overdue.ts'
import { endRetention } from './identity/closing/retention.ts'
import { completeRecoveries } from './identity/factorRecovery/complete.ts'
import { tellOfExpiry } from './identity/kyc/expiry.ts'
import { requestOnwardWithdrawals } from './investing/allocations/onwardWithdrawals.ts'
import { updateCandles } from './investing/candles/keep.ts'
import { refreshMarket } from './investing/market/refresh.ts'
import { runPlans } from './investing/plans/run.ts'
import { runStops } from './investing/stops/run.ts'
import { runStrategies } from './investing/trading/run.ts'
import { processVenue } from './investing/venueAccount/configuration.ts'
import { type Database, openDatabase } from './lib/database.ts'
import type { Env } from './lib/env.ts'
import { getLogMessage } from './lib/errors.ts'
import { deliverOutbox } from './lib/mail/outbox.ts'
import { runtime } from './lib/runtime.ts'
import { limitDatabase, WorkBudget } from './lib/workBudget.ts'
import { measureDecisionTimes } from './money/decisionTimes/measure.ts'
import { publishLiabilities } from './money/liabilities/publish.ts'
import { grantReferralBonuses } from './money/referrals/grant.ts'
import { screenCases } from './money/screening/run.ts'
import { sendAnnouncements } from './outreach/announcements/send.ts'
import { sealAuditLog } from './platform/audit/seal.ts'
import { mailAuditHead } from './platform/audit/witness.ts'
import { cleanUp } from './platform/cleanUp.ts'
import {
  CRON,
  getErrorClass,
  type JobRun,
  readCutOff,
  recordJob,
  recordWork,
} from './platform/health/cronWork.ts'
import { rotateKeys } from './platform/rotateKeys.ts'

type Run = (env: Env, db: Database, nowMs: number) => Promise<unknown>

interface Job {
  readonly run: Run
  /** Statements reserved for this job each minute. It may also use statements that the jobs before it left unused. */
  readonly statements: number
}

/** The most statements of one invocation of the Worker (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_STATEMENTS = 1000
/** Time after which a job begins no further item. */
const WORK_MS = 10_000
/** Time after which a job is left behind. The slowest honest one waits for twenty answers of other servers. */
const LONGEST_MS = 3 * 60_000

/** The jobs in the order in which they run, every minute. Each job decides by its own schedule whether it is due. */
export const JOBS: Readonly<Record<CronJob, Job>> = {
  outbox: { run: deliverOutbox, statements: 57 },
  auditLog: { run: (_env, db, nowMs) => sealAuditLog(db, nowMs), statements: 40 },
  auditWitness: { run: mailAuditHead, statements: 10 },
  cleanUp: { run: (env, _db, nowMs) => cleanUp(env, nowMs), statements: 60 },
  factorRecovery: { run: completeRecoveries, statements: 34 },
  retention: { run: endRetention, statements: 45 },
  documentExpiry: { run: tellOfExpiry, statements: 6 },
  wrappingKeys: { run: rotateKeys, statements: 15 },
  onward: { run: requestOnwardWithdrawals, statements: 38 },
  plans: { run: runPlans, statements: 26 },
  referrals: { run: grantReferralBonuses, statements: 24 },
  announcements: { run: sendAnnouncements, statements: 46 },
  decisionTimes: { run: (_env, db, nowMs) => measureDecisionTimes(db, nowMs), statements: 5 },
  books: { run: (_env, db, nowMs) => countBooks(db, nowMs), statements: 15 },
  liabilities: { run: (_env, db, nowMs) => publishLiabilities(db, nowMs), statements: 30 },
  selfCheck: { run: runSelfChecks, statements: 66 },
  overdue: { run: mailOverdue, statements: 25 },
  // Last, because these wait for other servers.
  candles: { run: updateCandles, statements: 30 },
  // After `candles`, whose bars it trades on.
  strategies: { run: runStrategies, statements: 90 },
  // After `strategies`, whose valuations reach them.
  stops: { run: runStops, statements: 14 },
  // After `strategies`, whose orders it sends.
  venue: { run: processVenue, statements: 40 },
  market: { run: refreshMarket, statements: 25 },
  // After `market`, whose prices it credits at.
  payments: { run: observePayments, statements: 112 },
  // After `payments`, whose senders it screens.
  screening: { run: screenCases, statements: 8 },
  // After `payments`, whose blocks it looks into.
  payouts: { run: followPayouts, statements: 40 },
  reserves: { run: countReserves, statements: 25 },
  // After `reserves`, which prove the watched wallets.
  treasury: { run: (_env, db, nowMs) => reconcile(db, nowMs), statements: 10 },
}

/**
 * Runs every job that is due, one after the other, and records the runs. Called each minute. No job can keep the others from running: each
 * has its own share of statements and time, a failure does not stop the others, and a job during which the Worker was killed runs last
 * from then on, until it ends. Only the simulator skips jobs, at most of its minutes.
 */
export async function runDueWork(
  env: Env,
  nowMs: number,
  skipped: ReadonlySet<CronJob> = new Set(),
  jobs: Readonly<Record<CronJob, Job>> = JOBS,
): Promise<void> {
  const db = openDatabase(env.DB)
  const began = runtime.now()
  const cutOff = await readCutOff(db, began).catch((error: unknown) => {
    logFailure(CRON, error)
    return [] as readonly string[]
  })
  const names = (Object.keys(jobs) as CronJob[]).filter((name) => !skipped.has(name))
  const last = cutOff.flatMap((cut) => names.filter((name) => name === cut))
  // The dispatcher itself notes each job, and records the runs.
  let left = MOST_STATEMENTS - 2 * names.length - 10
  let reserved = sum(names.map((name) => jobs[name].statements))
  const runJob = async (name: CronJob): Promise<JobRun> => {
    const { run, statements } = jobs[name]
    reserved -= statements
    const at = runtime.now()
    await recordJob(db, name, at).catch((error: unknown) => logFailure(CRON, error))
    const budget = new WorkBudget({ statements: left - reserved, ms: WORK_MS })
    const limited = { ...env, DB: limitDatabase(env.DB, budget) }
    // A failing job must not stop the others.
    const error = await Promise.race([run(limited, openDatabase(limited.DB), nowMs), rejectOnTimeout()]).then(
      () => null,
      (error: unknown) => logFailure(name, error),
    )
    budget.close()
    left -= budget.used
    return { name, at, tookMs: runtime.now() - at, error }
  }
  // Jobs that were cut off run after the others are recorded, and each by itself.
  for (const part of [names.filter((name) => !last.includes(name)), ...last.map((name) => [name])]) {
    const runs: JobRun[] = []
    for (const name of part) runs.push(await runJob(name))
    const cron = { name: CRON, at: began, tookMs: runtime.now() - began, error: null }
    await recordWork(db, [...runs, cron]).catch((error: unknown) => logFailure(CRON, error))
  }
}

/** Fails once a job has taken too long. */
function rejectOnTimeout(): Promise<never> {
  const signal = runtime.timeout(LONGEST_MS)
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The job timed out')), { once: true })
  })
}

/** Logs a failure and returns its kind. */
function logFailure(name: string, error: unknown): string {
  const message = getLogMessage(error)
  console.error(JSON.stringify({ level: 'error', cron: name, error: message }))
  return getErrorClass(message)
}
