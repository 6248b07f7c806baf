import { sql } from 'drizzle-orm'
import type { DecisionKind, DecisionTime, DecisionTimes } from '../../../src/contract/money/decisionTimes.ts'
import { DAY_MS } from '../../../src/time.ts'
import { toIso } from '../../http/paging.ts'
import { buildQuery, type RowQuery } from '../../lib/database.ts'
import { decisionTimes } from '../../lib/tables/requests.ts'

/** The measured times of one kind of decision. */
export interface MeasuredTimes {
  readonly kind: DecisionKind
  readonly since: number
  readonly until: number
  readonly decisions: number
  readonly median: number | null
  readonly p95: number | null
}

/** At most five rows. */
export function readDecisionTimes(): RowQuery<MeasuredTimes> {
  return buildQuery(
    sql`SELECT kind, since, until, decisions, median_ms AS median, p95_ms AS p95 FROM ${decisionTimes}`,
  )
}

/** The public figures. They are rounded, so that they reveal no single request. */
export function toDecisionTimes(rows: readonly MeasuredTimes[]): DecisionTimes {
  const getTime = (kind: DecisionKind) => toDecisionTime(rows.find((row) => row.kind === kind))
  const [first] = rows
  return {
    until: first === undefined ? null : toIso(first.until),
    deposits: getTime('deposits'),
    withdrawals: getTime('withdrawals'),
    payouts: getTime('payouts'),
    identity: getTime('identity'),
    messages: getTime('messages'),
  }
}

function toDecisionTime(row: MeasuredTimes | undefined): DecisionTime {
  if (row === undefined || row.median === null || row.p95 === null) return null
  return {
    decisions: Math.floor(row.decisions / 10) * 10,
    days: Math.max(1, Math.floor((row.until - row.since) / DAY_MS)),
    medianMinutes: roundUpMinutes(row.median),
    p95Minutes: roundUpMinutes(row.p95),
  }
}

const MINUTE_MS = 60_000

/** The rounding step for times below a bound, both in minutes. */
const STEPS: readonly { below: number; step: number }[] = [
  { below: 60, step: 5 },
  { below: 48 * 60, step: 60 },
  { below: Number.POSITIVE_INFINITY, step: 24 * 60 },
]

/**
 * A time in minutes, rounded up so that "within" stays true: to five minutes below one hour, to hours below two days, and to days
 * above.
 */
export function roundUpMinutes(ms: number): number {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  const { step } = STEPS.find(({ below }) => minutes < below) ?? { step: 1 }
  return Math.ceil(minutes / step) * step
}
