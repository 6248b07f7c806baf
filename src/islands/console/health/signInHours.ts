import type { FailedSignIn, OperatorHealth } from '../../../contract/console/health.ts'
import { sum } from '../../../contract/numbers.ts'

const HOUR_MS = 3_600_000
const CAUSES: Readonly<Record<FailedSignIn, string>> = {
  password: 'Wrong e-mail or password',
  code: 'Wrong code',
  passkey: 'Passkey not accepted',
  unverified: 'E-mail not verified',
  closed: 'Closed account',
  too_many: 'Too many attempts',
}

/**
 * Sums up failed sign-ins at `now` (ISO): each of the last 24 hours, oldest first, and the causes of the week, most
 * frequent first.
 */
export function countFailedSignIns(now: string, hours: OperatorHealth['signIns']['hours']) {
  const thisHour = Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS
  const first = thisHour - 23 * HOUR_MS
  const lastDay = hours.filter(({ at }) => Date.parse(at) >= first)
  const countByCause = (some: typeof hours, cause: string) =>
    countFailures(some.filter((hour) => hour.cause === cause))
  return {
    hours: Array.from({ length: 24 }, (_, n) => {
      const at = new Date(first + n * HOUR_MS).toISOString()
      return { at, count: countFailures(lastDay.filter((hour) => hour.at === at)) }
    }),
    day: countFailures(lastDay),
    week: countFailures(hours),
    causes: Object.entries(CAUSES)
      .map(([cause, words]) => ({
        cause: words,
        day: countByCause(lastDay, cause),
        week: countByCause(hours, cause),
      }))
      .filter(({ week }) => week > 0)
      .sort((a, b) => b.week - a.week),
  }
}

type Hours = OperatorHealth['signIns']['hours']

export function countFailures(hours: Hours): number {
  return sum(hours.map(({ count }) => count))
}
