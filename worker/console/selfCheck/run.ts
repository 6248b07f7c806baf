import { sql } from 'drizzle-orm'
import type { Broken } from '../../../src/contract/console/audit.ts'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { selfChecks } from '../../lib/tables/platform.ts'
import { verifyPage } from '../../platform/audit/verify.ts'
import { checkAll } from './all.ts'
import { mailFindings } from './mailFindings.ts'
import { checkRecent } from './recent.ts'
import { hashOfSchema, RULES_SQL, SCHEMA_SQL, type SchemaObject } from './schema.ts'
import { SCHEMA_HASH } from './schemaHash.ts'

const RECENT_EVERY_MS = 600_000
const ALL_EVERY_MS = 86_400_000

/** What one run of a check saw: what is wrong, in sentences without a full stop, and where to go on. */
export interface Checked {
  readonly findings: readonly string[]
  readonly checkpoint: string
}

/** One of the self-checks. `isDue` says from when on it runs again, by how its last run ended. */
interface SelfCheck {
  readonly name: string
  /** Goes through what there is in several runs. Its checkpoint is empty once it is through. */
  readonly isScan: boolean
  readonly isDue: (last: LastRun | undefined, nowMs: number) => boolean
  readonly run: (db: Database, checkpoint: string | null, nowMs: number) => Promise<Checked>
}

interface LastRun {
  readonly name: string
  readonly checkpoint: string
  readonly finding: string | null
  readonly at: number
}

const CHECKS: readonly SelfCheck[] = [
  { name: 'schema', isScan: false, isDue: every(RECENT_EVERY_MS), run: checkSchema },
  { name: 'ledger', isScan: false, isDue: every(RECENT_EVERY_MS), run: checkRecent },
  // Once a day from the start, and each minute on until they are through.
  { name: 'everything', isScan: true, isDue: eachDayToItsEnd, run: checkAll },
  { name: 'auditLog', isScan: true, isDue: eachDayToItsEnd, run: checkAuditLog },
]

/**
 * Runs the self-checks that are due: the schema and what was posted lately each ten minutes, everything and the audit log once a
 * day in pages. A finding is kept in `self_checks`, raised as an alarm in the log at each run until it is gone, and told to the
 * administrators.
 */
export async function runSelfChecks(env: Env, db: Database, nowMs: number): Promise<void> {
  const [rows] = await readTogether(
    db,
    reading<LastRun>(sql`SELECT name, checkpoint, finding, at FROM self_checks`),
  )
  for (const check of CHECKS) {
    const last = rows.find(({ name }) => name === check.name)
    if (!check.isDue(last, nowMs)) continue
    const { findings, checkpoint } = await check.run(db, last?.checkpoint ?? null, nowMs)
    const isThrough = !check.isScan || checkpoint === ''
    const finding = inWords(isThrough ? findings : [...sentencesOf(last?.finding), ...findings])
    if (finding !== null) console.error(JSON.stringify({ level: 'alarm', selfCheck: check.name, finding }))
    const result = { checkpoint, ok: finding === null, finding, at: nowMs }
    await db
      .insert(selfChecks)
      .values({ name: check.name, ...result })
      .onConflictDoUpdate({ target: selfChecks.name, set: result })
  }
  await mailFindings(env, db, nowMs)
}

function inWords(findings: readonly string[]): string | null {
  return findings.length > 0 ? [...new Set(findings)].join('. ') : null
}

// What an earlier scan found stands until this one is through.
function sentencesOf(finding: string | null | undefined): readonly string[] {
  return finding?.split('. ') ?? []
}

function every(periodMs: number): SelfCheck['isDue'] {
  // Cron is a little early or late by turns.
  return (last, nowMs) => last === undefined || nowMs - last.at >= periodMs - 30_000
}

function eachDayToItsEnd(last: LastRun | undefined, nowMs: number): boolean {
  return (last !== undefined && last.checkpoint !== '') || every(ALL_EVERY_MS)(last, nowMs)
}

/** Compares the database's tables, indexes, triggers and rules with what the migrations make: a dropped trigger is seen. */
async function checkSchema(db: Database): Promise<Checked> {
  const [objects, ...rules] = await readTogether(
    db,
    reading<SchemaObject>(sql.raw(SCHEMA_SQL)),
    ...RULES_SQL.map((query) => reading<Record<string, unknown>>(sql.raw(query))),
  )
  const hash = await hashOfSchema(objects, rules)
  return {
    checkpoint: hash,
    findings: hash === SCHEMA_HASH ? [] : [`The schema is not that of the migrations: ${hash}`],
  }
}

const MOST_FINDINGS = 10

/** Where the scan is: after a line of the log. */
interface Scan {
  readonly after: number
  readonly findings: readonly string[]
}

/** Compares the audit log with its seals, some 10,000 lines a run. The checkpoint is empty once it is through. */
async function checkAuditLog(db: Database, stored: string | null): Promise<Checked> {
  const scan: Scan =
    stored === null || stored === '' ? { after: 0, findings: [] } : (JSON.parse(stored) as Scan)
  const { broken, checkedTo, complete } = await verifyPage(db, scan.after)
  const findings = [...scan.findings, ...broken.map(sentenceOn)].slice(0, MOST_FINDINGS)
  return { findings, checkpoint: complete ? '' : JSON.stringify({ after: checkedTo, findings }) }
}

function sentenceOn({ seq, why }: Broken): string {
  switch (why) {
    case 'seal':
      return `The seal of the audit log from line ${seq} on was changed, or the one before it is gone`
    case 'block':
      return `A line of the audit log's block from line ${seq} on was changed`
    default:
      return `Line ${seq} of the audit log was ${why}`
  }
}
