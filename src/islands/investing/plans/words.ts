import { formatDay, formatWeekday } from '../../../contract/dates.ts'
import type { Schedule } from '../../../contract/investing/planDates.ts'
import { describePlan, type Plan, type PlanRun } from '../../../contract/investing/plans.ts'
import { formatUsd } from '../../../contract/money.ts'
import { DAY_MS } from '../../../time.ts'

type Rhythm = Pick<Schedule, 'rhythm' | 'starts' | 'day'>

/** When a plan is due: "on the 1st of each month". */
export function describeRhythm({ rhythm, starts, day }: Rhythm): string {
  if (rhythm === 'weekly') return `every ${formatWeekday(starts)}`
  if (rhythm === 'yearly') return `every year on ${formatDay(starts, starts)}`
  const months = rhythm === 'monthly' ? 'each month' : 'every third month'
  if (day === 31) return `on the last day of ${months}`
  return `on the ${formatOrdinal(day)} of ${months}${day > 28 ? ', or its last day' : ''}`
}

/** By the English plural rules of ordinals. */
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

function formatOrdinal(count: number): string {
  return `${count}${ENDINGS[new Intl.PluralRules('en-US', { type: 'ordinal' }).select(count)]}`
}

/** The last day of its month, so that a plan may mean the last day of each month. */
export function isLastOfMonth(day: string): boolean {
  const next = Date.parse(day) + DAY_MS
  return !Number.isNaN(next) && new Date(next).getUTCDate() === 1
}

/** Where the money of a plan goes. An ended plan has no destination any more. */
export function getTarget({ name, destination }: Pick<Plan, 'name' | 'destination'>): string {
  return name ?? destination ?? 'a saved address'
}

/** The plan in one sentence. Of a withdrawal without its destination, which is long and not to be translated. */
export function describeOwnPlan(plan: Pick<Plan, 'kind' | 'amount' | 'name'> & Rhythm): string {
  const { kind, amount, name } = plan
  const does =
    kind === 'withdraw'
      ? `Withdraw ${formatUsd(amount)}`
      : describePlan({ kind, amount, redeemFromName: null }, name ?? '')
  return `${does} ${describeRhythm(plan)}`
}

/** The outcome of a date. */
export function describeRun({ status, announced, amount, redemption }: PlanRun): string {
  if (redemption !== null) return REDEMPTION_WORDS[redemption]
  switch (status) {
    case 'announced':
      return 'Announced'
    case 'done':
      return announced !== null && amount !== null && amount < announced
        ? 'Done, smaller than announced'
        : 'Done'
    case 'skipped':
      return 'Skipped'
    case 'failed':
    case 'missed':
      return 'Did not run'
  }
}

const REDEMPTION_WORDS: Record<NonNullable<PlanRun['redemption']>, string> = {
  pending: 'Redeeming, then withdrawing',
  stayed: 'Redeemed, not withdrawn',
  cancelled: 'Redemption cancelled',
}

/** For `Status`: its icon and tone. */
export const RUN_LOOKS = {
  announced: 'pending',
  done: 'completed',
  skipped: 'cancelled',
  failed: 'rejected',
  missed: 'rejected',
} as const satisfies Record<PlanRun['status'], string>
