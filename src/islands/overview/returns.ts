import { computeMoneyWeightedReturn } from '../../../engine/metrics/moneyWeighted.ts'
import type { DayValue } from '../../contract/money/statements.ts'
import { sum } from '../../contract/numbers.ts'

/**
 * The gain or loss in USD of the last days of a course: the change of the balance less what was paid in. Of all its days if it is shorter.
 */
export function computeGain(course: readonly DayValue[], days: number): number {
  const [before, ...shown] = course.slice(-days - 1)
  if (before === undefined) return 0
  const paidIn = sum(shown.map((value) => value.paidIn))
  return Math.round(((shown.at(-1) ?? before).balance - before.balance - paidIn) * 100) / 100
}

export interface AccountReturns {
  /** The UTC day from which on they count. */
  readonly from: string
  /** Whether there was money before that day. */
  readonly isCut: boolean
  /** Shares: 0.12 is 12 %. Null if they cannot be calculated. */
  readonly timeWeighted: number | null
  readonly moneyWeighted: number | null
}

/**
 * The returns of all money in the account over a course of days, cash included. Money paid in during a day is counted at
 * its end: it cannot be invested before the next day's open. Null before a first whole day with money.
 */
export function computeAccountReturns(course: readonly DayValue[]): AccountReturns | null {
  const first = course.findIndex(({ balance }) => balance > 0)
  const start = course[first]
  const end = course.length - 1
  if (start === undefined || first === end) return null
  let growth: number | null = 1
  let before = start.balance
  const flows = [{ day: first, amount: -start.balance }]
  for (const [index, { balance, paidIn }] of course.entries()) {
    if (index <= first) continue
    if (before > 0 && growth !== null) growth *= (balance - paidIn) / before
    // Below zero there is no return to multiply.
    if (balance < 0) growth = null
    flows.push({ day: index, amount: -paidIn })
    before = balance
  }
  flows.push({ day: end, amount: before })
  return {
    from: start.day,
    isCut: first === 0,
    timeWeighted: growth === null ? null : growth - 1,
    moneyWeighted: computeMoneyWeightedReturn(flows),
  }
}

/** +3.21%, with a real minus. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  const percent = Math.round(share * 10_000) / 100
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(2)}%`
}
