import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'

/** A day's step is done within minutes of its open: two hours later, so 26 after the last one began, it is late. */
const GRACE_MS = 2 * 3_600_000

export interface Followed {
  readonly startedAt: number
  /** The day whose step was done last. */
  readonly lastStep: number | null
}

/** Since when a day's step should be done, once it is late; null where nothing is. Of one that was stopped too: it still gives back what is in it. */
export function lateSince({ startedAt, lastStep }: Followed, nowMs: number): number | null {
  const first = Math.floor(startedAt / DAY_MS) * DAY_MS + DAY_MS
  const due = lastStep === null ? first : lastStep + DAY_MS
  return nowMs > due + GRACE_MS ? due : null
}
