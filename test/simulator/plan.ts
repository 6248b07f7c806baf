import { DAY_MS } from '../../src/time.ts'
import { chanceOf } from './lane/chance.ts'
import { TEMPERAMENTS } from './people/investor.ts'

const HOUR_MS = 3_600_000

/** One thing that happens. Its chance depends on the seed and its number, so a plan with steps left out plays the rest alike. */
export interface Step {
  readonly number: number
  readonly atMs: number
  readonly kind:
    | 'visit'
    | 'work'
    | 'manage'
    | 'cron'
    | 'thief'
    | 'notice'
    | 'clock back'
    | 'check'
    | 'backup'
    | 'restore'
    | 'deploy'
  /** The number of the investor or operator; 0 for the others. */
  readonly who: number
}

export interface PlanOptions {
  readonly seed: number
  readonly startMs: number
  readonly days: number
  readonly investors: number
  readonly hasFaults: boolean
  /** How many times as often the investors visit, the administrators decide and thieves come. */
  readonly haste: number
}

/**
 * The minutes of a day at which cron runs: around midnight, when strategies trade, and at noon. It runs in the minute after each
 * act of a person too (`run.ts`). In the others it would find next to nothing to do, and a day has 1,440.
 */
export const CRON_MINUTES = [0, 1, 12 * 60]
/** The self-checks, which go through the whole database, run weekly at first and monthly later. */
const SELF_CHECK_DAYS = 7
const LATER_SELF_CHECK_DAYS = 28
/** All investors together visit no more often than this on average. Many investors each come less often. */
const MOST_VISITS_A_DAY = 3
const OPERATORS = 3
/** How often a day the administrators decide something about the platform. */
const MANAGING = 0.05
/** How often a day a thief comes. */
const THIEVES = 0.05
/** A payout to a new destination waits a day, in which the owner of an account notices a thief. */
const MOST_HOURS_UNNOTICED = 20

/** Everything that happens, in the order of time. */
export function planOf({ seed, startMs, days, investors, hasFaults, haste }: PlanOptions): readonly Step[] {
  const steps: Omit<Step, 'number'>[] = []
  const all = Array.from({ length: investors }, (_, who) => visitsOf(who))
  const pace = Math.min(1, MOST_VISITS_A_DAY / all.reduce((sum, each) => sum + each, 0))
  for (let day = 0; day < days; day++) {
    const chance = chanceOf(seed, 'plan', day)
    const dayMs = startMs + day * DAY_MS
    const moment = (): number => dayMs + chance.whole(HOUR_MS, 23 * HOUR_MS)
    for (const minute of CRON_MINUTES) steps.push({ atMs: dayMs + minute * 60_000, kind: 'cron', who: 0 })
    for (let who = 0; who < investors; who++) {
      if (chance.is(visitsOf(who) * pace * haste)) steps.push({ atMs: moment(), kind: 'visit', who })
    }
    for (let who = 0; who < OPERATORS; who++) {
      // Nobody works on Sundays.
      if (new Date(dayMs).getUTCDay() !== 0 && chance.is(0.5))
        steps.push({ atMs: moment(), kind: 'work', who })
    }
    if (chance.is(MANAGING * haste)) steps.push({ atMs: moment(), kind: 'manage', who: 0 })
    if (chance.is(THIEVES * haste)) {
      const [atMs, who] = [moment(), chance.whole(0, investors - 1)]
      const noticedMs = atMs + chance.whole(8, MOST_HOURS_UNNOTICED) * HOUR_MS
      steps.push({ atMs, kind: 'thief', who }, { atMs: noticedMs, kind: 'notice', who })
    }
    if (hasFaults && chance.is(0.02)) steps.push({ atMs: moment(), kind: 'clock back', who: 0 })
    if (day % 7 === 6) steps.push({ atMs: dayMs + DAY_MS - 1000, kind: 'check', who: 0 })
  }
  if (hasFaults) steps.push(...restoredBackup(seed, startMs, days), deploy(seed, startMs, days, investors))
  return steps.toSorted((a, b) => a.atMs - b.atMs).map((step, number) => ({ number, ...step }))
}

/** The longest time between the newest backup that can be read and the restore. */
const MOST_HOURS_LOST = 48

/** A backup in the night, in the second half of a run, and the failure after which it is restored. */
function restoredBackup(seed: number, startMs: number, days: number): Omit<Step, 'number'>[] {
  const chance = chanceOf(seed, 'plan', 'backup')
  const backupMs = startMs + chance.whole(Math.ceil(days / 2), Math.max(1, days - 2)) * DAY_MS + 3 * HOUR_MS
  const failureMs = backupMs + chance.whole(6, MOST_HOURS_LOST) * HOUR_MS
  return [
    { atMs: backupMs, kind: 'backup', who: 0 },
    { atMs: failureMs, kind: 'restore', who: 0 },
  ]
}

/** A deploy with a migration, on any day. */
function deploy(seed: number, startMs: number, days: number, investors: number): Omit<Step, 'number'> {
  const chance = chanceOf(seed, 'plan', 'deploy')
  const atMs = startMs + chance.whole(0, days - 1) * DAY_MS + chance.whole(HOUR_MS, 23 * HOUR_MS)
  return { atMs, kind: 'deploy', who: chance.whole(0, investors - 1) }
}

/** Visits a day of an investor. */
function visitsOf(who: number): number {
  const { visits } = TEMPERAMENTS[who % TEMPERAMENTS.length] ?? TEMPERAMENTS[0]
  return visits / 30
}

/** Whether the self-checks run with cron at this time, just after midnight, so many days after the start. */
export function checksItself(atMs: number, sinceStartMs: number): boolean {
  const days = sinceStartMs < 2 * LATER_SELF_CHECK_DAYS * DAY_MS ? SELF_CHECK_DAYS : LATER_SELF_CHECK_DAYS
  return atMs % (days * DAY_MS) < 60_000
}
