import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import type { StrategyStatus } from '../../../src/contract/strategies.ts'

/** A day's step is done within minutes of its open: two hours later, so 26 after the last one began, it is late. */
const GRACE_MS = 2 * 3_600_000

export interface Followed {
  readonly status: StrategyStatus
  readonly startedAt: number
  /** The day whose step was done last. */
  readonly lastStep: number | null
}

/** Since when a day's step should be done, once it is late; null where nothing is. */
export function lateSince({ status, startedAt, lastStep }: Followed, nowMs: number): number | null {
  const first = Math.floor(startedAt / DAY_MS) * DAY_MS + DAY_MS
  const due = lastStep === null ? first : lastStep + DAY_MS
  return status !== 'stopped' && nowMs > due + GRACE_MS ? due : null
}
