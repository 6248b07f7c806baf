import { chanceOf } from './lane/chance.ts'
import { TEMPERAMENTS } from './people/investor.ts'

export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** One thing that happens. Its chance depends on the seed and its number, so a plan with steps left out plays the rest alike. */
export interface Step {
  readonly number: number
  readonly atMs: number
  readonly kind: 'visit' | 'work' | 'cron' | 'thief' | 'clock back' | 'check'
  /** The number of the investor or operator; 0 for the others. */
  readonly who: number
}

export interface PlanOptions {
  readonly seed: number
  readonly startMs: number
  readonly days: number
  readonly investors: number
  readonly hasFaults: boolean
}

/** The minutes of a day at which cron runs: around midnight, when strategies trade, and at noon. Every minute would be too slow. */
export const CRON_MINUTES = [0, 1, 2, 12 * 60]
const OPERATORS = 3

/** Everything that happens, in the order of time. */
export function planOf({ seed, startMs, days, investors, hasFaults }: PlanOptions): readonly Step[] {
  const steps: Omit<Step, 'number'>[] = []
  for (let day = 0; day < days; day++) {
    const chance = chanceOf(seed, 'plan', day)
    const dayMs = startMs + day * DAY_MS
    const moment = (): number => dayMs + chance.whole(HOUR_MS, 23 * HOUR_MS)
    for (const minute of CRON_MINUTES) steps.push({ atMs: dayMs + minute * 60_000, kind: 'cron', who: 0 })
    for (let who = 0; who < investors; who++) {
      const { visits } = TEMPERAMENTS[who % TEMPERAMENTS.length] ?? TEMPERAMENTS[0]
      if (chance.is(visits / 30)) steps.push({ atMs: moment(), kind: 'visit', who })
    }
    for (let who = 0; who < OPERATORS; who++) {
      // Nobody works on Sundays.
      if (new Date(dayMs).getUTCDay() !== 0 && chance.is(0.7))
        steps.push({ atMs: moment(), kind: 'work', who })
    }
    if (chance.is(0.02)) steps.push({ atMs: moment(), kind: 'thief', who: chance.whole(0, investors - 1) })
    if (hasFaults && chance.is(0.02)) steps.push({ atMs: moment(), kind: 'clock back', who: 0 })
    if (day % 7 === 6) steps.push({ atMs: dayMs + DAY_MS - 1000, kind: 'check', who: 0 })
  }
  return steps.toSorted((a, b) => a.atMs - b.atMs).map((step, number) => ({ number, ...step }))
}
