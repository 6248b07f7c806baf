import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BrokenLine } from '../../../src/contract/console/audit.ts'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { DAY_MS } from '../../../src/time.ts'
import { buildQuery, type Database, parseStored, readTogether, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { selfChecks } from '../../lib/tables/platform.ts'
import { hasBudget } from '../../lib/workBudget.ts'
import { verifyPage } from '../../platform/audit/verify.ts'
import { checkAll } from './all.ts'
import { checkExchange } from './exchange.ts'
import { checkGaps } from './gaps.ts'
import { mailFindings } from './mailFindings.ts'
import { checkChainServers, checkPayments } from './payments.ts'
import { checkRecent } from './recent.ts'
import { hashOfSchema, RULES_SQL, SCHEMA_SQL, type SchemaObject } from './schema.ts'
import { checkSize } from './size.ts'
import { checkTreasury } from './treasury.ts'

/** The hash of the migrated schema. The build defines it. */
declare const SCHEMA_HASH: string

const RECENT_EVERY_MS = 600_000
const ALL_EVERY_MS = DAY_MS
/** More than one check takes in a run. */
const STATEMENTS = 30

/** The result of one run: findings as sentences without a full stop, and where the next run continues. */
export interface CheckResult {
  readonly findings: readonly string[]
  readonly checkpoint: string
}

/** `isDue` decides from the last run whether the check runs now. */
interface SelfCheck {
  readonly name: string
  /** The check takes several runs. Its checkpoint is empty once it is complete. */
  readonly isScan: boolean
  readonly isDue: (last: LastRun | undefined, nowMs: number) => boolean
  readonly run: (db: Database, checkpoint: string | null, nowMs: number, env: Env) => Promise<CheckResult>
}

type LastRun = Pick<typeof selfChecks.$inferSelect, 'name' | 'checkpoint' | 'finding' | 'at'>

const CHECKS: readonly SelfCheck[] = [
  { name: 'schema', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkSchema },
  { name: 'size', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkSize },
  { name: 'ledger', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkRecent },
  { name: 'payments', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkPayments },
  { name: 'chainServers', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkChainServers },
  { name: 'silentFreezes', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkSilentFreezes },
  { name: 'exchange', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkExchange },
  { name: 'treasury', isScan: false, isDue: isDueEvery(RECENT_EVERY_MS), run: checkTreasury },
  // Starts once a day, then continues every minute until complete.
  { name: 'everything', isScan: true, isDue: isDueUntilComplete, run: checkAll },
  { name: 'gaps', isScan: true, isDue: isDueUntilComplete, run: checkGaps },
  { name: 'auditLog', isScan: true, isDue: isDueUntilComplete, run: checkAuditLog },
]

/**
 * Runs the self-checks that are due: schema, size and recent postings every ten minutes, all records, the explanations of days and the audit
 * log once a day in pages. A finding is stored in `self_checks`, logged as an alarm at each run until it is fixed, and mailed to the
 * administrators.
 */
export async function runSelfChecks(env: Env, db: Database, nowMs: number): Promise<void> {
  const { name, checkpoint, finding, at } = selfChecks
  const rows = await db.select({ name, checkpoint, finding, at }).from(selfChecks)
  const failures: unknown[] = []
  const findLastRun = ({ name }: SelfCheck) => rows.find((row) => row.name === name)
  // Those that waited longest come first, so that the budget keeps none waiting for ever.
  for (const check of CHECKS.toSorted((a, b) => (findLastRun(a)?.at ?? 0) - (findLastRun(b)?.at ?? 0))) {
    if (!check.isDue(findLastRun(check), nowMs)) continue
    if (!hasBudget(db, STATEMENTS)) break
    await runCheck(env, db, check, findLastRun(check), nowMs).catch((error: unknown) => failures.push(error))
  }
  await mailFindings(env, db, nowMs)
  if (failures.length > 0) throw failures[0]
}

async function runCheck(
  env: Env,
  db: Database,
  check: SelfCheck,
  last: LastRun | undefined,
  nowMs: number,
): Promise<void> {
  const { findings, checkpoint } = await check.run(db, last?.checkpoint ?? null, nowMs, env)
  const isComplete = !check.isScan || checkpoint === ''
  const finding = joinFindings(isComplete ? findings : [...splitFindings(last?.finding), ...findings])
  if (finding !== null) console.error(JSON.stringify({ level: 'alarm', selfCheck: check.name, finding }))
  const result = { checkpoint, ok: finding === null, finding, at: nowMs }
  await db
    .insert(selfChecks)
    .values({ name: check.name, ...result })
    .onConflictDoUpdate({ target: selfChecks.name, set: result })
}

function joinFindings(findings: readonly string[]): string | null {
  return findings.length > 0 ? [...new Set(findings)].join('. ') : null
}

// Findings of the previous scan stay until this one is complete.
function splitFindings(finding: string | null | undefined): readonly string[] {
  return finding?.split('. ') ?? []
}

function isDueEvery(periodMs: number): SelfCheck['isDue'] {
  // Cron may be a little early or late.
  return (last, nowMs) => last === undefined || nowMs - last.at >= periodMs - 30_000
}

function isDueUntilComplete(last: LastRun | undefined, nowMs: number): boolean {
  return (last !== undefined && last.checkpoint !== '') || isDueEvery(ALL_EVERY_MS)(last, nowMs)
}

/** Compares tables, indexes, triggers and rules with the result of the migrations, so that a dropped trigger is found. */
async function checkSchema(db: Database): Promise<CheckResult> {
  const [objects, ...rules] = await readTogether(
    db,
    buildQuery<SchemaObject>(sql.raw(SCHEMA_SQL)),
    ...RULES_SQL.map((query) => buildQuery<Record<string, unknown>>(sql.raw(query))),
  )
  const hash = await hashOfSchema(objects, rules)
  return {
    checkpoint: hash,
    findings: hash === SCHEMA_HASH ? [] : [`The schema is not that of the migrations: ${hash}`],
  }
}

const MOST_FINDINGS = 10

/** Finds silent freezes that are older than the setting. Whom they concern stays confidential. */
async function checkSilentFreezes(db: Database, _stored: string | null, nowMs: number): Promise<CheckResult> {
  const longest = sql`(
    SELECT coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'silentFreezeDays'), ${SETTINGS.silentFreezeDays.default}) AS days)`
  const [[old]] = await readTogether(
    db,
    selectRows({ count: sql<number>`count(*)`, days: sql<number>`days` })
      .from(sql`silent_freezes, ${longest}`)
      .where(sql`ended_at IS NULL AND begun_at <= ${nowMs} - days * ${DAY_MS}`),
  )
  const { count = 0, days = 0 } = old ?? {}
  const finding = `${count} silent ${count === 1 ? 'freeze is' : 'freezes are'} older than ${days} days. Renew or end each`
  return { findings: count > 0 ? [finding.replace('. ', ': ')] : [], checkpoint: '' }
}

/** The position of the scan: the last line checked. */
const scanPosition = z.object({ after: z.number(), findings: z.array(z.string()) })

/** Compares the audit log with its seals, about 10,000 lines a run. The checkpoint is empty once it is complete. */
async function checkAuditLog(db: Database, stored: string | null): Promise<CheckResult> {
  const scan = stored ? parseStored(scanPosition, stored) : { after: 0, findings: [] }
  const { broken, checkedTo, complete } = await verifyPage(db, scan.after)
  const findings = [...scan.findings, ...broken.map(describeBrokenLine)].slice(0, MOST_FINDINGS)
  return { findings, checkpoint: complete ? '' : JSON.stringify({ after: checkedTo, findings }) }
}

function describeBrokenLine({ seq, why }: BrokenLine): string {
  return why === 'seal'
    ? `The seal of the audit log from line ${seq} on was changed, or the one before it is gone`
    : `Line ${seq} of the audit log was ${why}`
}
