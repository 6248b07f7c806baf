import type { DecisionKind, DecisionTime, DecisionTimes } from '../../../src/contract/money/decisionTimes.ts'
import { DAY_MS } from '../../../src/time.ts'
import { toIso } from '../../http/paging.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { decisionTimes } from '../../lib/tables/requests.ts'

/** The measured times by kind of decision: at most five rows. */
export function readDecisionTimes() {
  const { kind, since, until, decisions, medianMs, p95Ms } = decisionTimes
  return selectRows({ kind, since, until, decisions, medianMs, p95Ms }).from(decisionTimes)
}

type MeasuredTimes = RowOf<typeof readDecisionTimes>

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
  if (row === undefined || row.medianMs === null || row.p95Ms === null) return null
  return {
    decisions: Math.floor(row.decisions / 10) * 10,
    days: Math.max(1, Math.floor((row.until - row.since) / DAY_MS)),
    medianMinutes: roundUpMinutes(row.medianMs),
    p95Minutes: roundUpMinutes(row.p95Ms),
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
