import type { Chance } from './chance.ts'
import type { Query } from './d1.ts'

/** Each kind of failure that the simulator injects, with what it means. */
export const FAULTS = {
  lost_answer: 'A batch was committed, and its answer was lost',
  refused_batch: 'The database refused a batch',
  overloaded: 'The database was overloaded',
  slow: 'The database took seconds',
  killed_before: 'The Worker was killed before a call to the database',
  killed_after: 'The Worker was killed after a call to the database',
  file_lost: 'A call to the file store failed',
  file_stored: 'A file was stored, and the answer was lost',
  file_gone: 'A file that was stored was gone later',
  file_stale: 'A file that is stored was not found',
  mail_bounced: 'The mail provider refused a mail',
  mail_twice: 'A mail was accepted, the answer was lost, and it came twice',
  mail_delayed: 'A mail arrived hours later',
  prices_silent: 'The price provider did not answer',
  prices_frozen: 'The price provider repeated an old list',
  prices_silent_for_days: 'The price provider did not answer for days',
  prices_frozen_for_days: 'The price provider repeated an old list for days',
  prices_jumped: 'The price provider multiplied a price by ten',
  prices_lied: 'The price provider sent something other than prices',
  clock_back: 'The clock was set back',
  operators_together: 'Two operators worked on the same cases while cron ran',
  cron_stopped: 'Cron did not run for days',
  cron_elsewhere: 'Another instance ran cron',
  migrated: 'A migration was applied, and a new Worker deployed, while requests were under way',
  backup_restored: 'The newest backup was restored',
  cron_twice: 'Two instances ran cron in the same minute',
} as const
export type Fault = keyof typeof FAULTS

const HOUR_MS = 3_600_000

/** How often failures are injected. */
export const FAULT_LEVELS = { none: 0, some: 0.002, storm: 0.03 } as const
export type FaultLevel = keyof typeof FAULT_LEVELS

/** Draws failures, and counts them by kind. */
export interface Faults {
  readonly counts: ReadonlyMap<Fault, number>
  /** Whether this failure happens now; `often` multiplies the level's probability. */
  happens(fault: Fault, chance: Chance, often?: number): boolean
  /** Counts a failure that the plan decided. Returns whether failures happen now. */
  isPlanned(fault: Fault): boolean
  /** Whether this failure goes on at a time (epoch milliseconds). Once it happened, it does for one to four days. */
  lasts(fault: Fault, chance: Chance, nowMs: number, often: number): boolean
  /** From now on, failures happen. Before, and after `stop`, nothing fails. */
  start(): void
  stop(): void
}

export function drawFaults(level: FaultLevel): Faults {
  const counts = new Map<Fault, number>()
  const lastUntilMs = new Map<Fault, number>()
  let probability = 0
  const happens: Faults['happens'] = (fault, chance, often = 1) => {
    // Nothing is drawn without faults, so that a run without them does not depend on their number.
    if (probability === 0 || !chance.is(Math.min(0.5, probability * often))) return false
    counts.set(fault, (counts.get(fault) ?? 0) + 1)
    return true
  }
  return {
    counts,
    happens,
    isPlanned: (fault) => {
      if (probability > 0) counts.set(fault, (counts.get(fault) ?? 0) + 1)
      return probability > 0
    },
    lasts: (fault, chance, nowMs, often) => {
      if (probability === 0) return false
      if (nowMs < (lastUntilMs.get(fault) ?? 0)) return true
      if (!happens(fault, chance, often)) return false
      lastUntilMs.set(fault, nowMs + chance.whole(24, 96) * HOUR_MS)
      return true
    },
    start: () => {
      probability = FAULT_LEVELS[level]
    },
    stop: () => {
      probability = 0
    },
  }
}

/** Whether one of the statements changes something. */
export function isWriting(queries: readonly Query[]): boolean {
  return queries.some(({ sql }) => !/^\s*(?:SELECT|WITH|VALUES)\b/i.test(sql))
}
