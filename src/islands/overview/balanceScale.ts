import type { DayValue } from '../../contract/money/statements.ts'

/** The days from the one before the first money on, so that the line shows its arrival. All of them if there was never any. */
export function cutEmptyDays(course: readonly DayValue[]): readonly DayValue[] {
  const first = course.findIndex(({ balance, paidIn }) => balance !== 0 || paidIn !== 0)
  return course.slice(Math.max(0, first - 1))
}

/**
 * The gridlines of a chart of USD amounts, lowest first: at most six, evenly spaced by 1, 2 or 5 times a power of ten. They
 * begin at zero, except where all changes together are less than half of the lowest amount and would look flat.
 */
export function computeScale(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const isFitted = least > 0 && most > least && most - least < least / 2
  const low = isFitted ? least : Math.min(0, least)
  const high = Math.max(0, most)
  // Calculated in cents, so that every line is a whole number of cents.
  const step = roundStep(Math.max(1, ((high === low ? 1 : high - low) * 100) / 4))
  const first = Math.floor((low * 100) / step)
  const last = high === low ? Math.ceil(100 / step) : Math.ceil((high * 100) / step)
  return Array.from({ length: last - first + 1 }, (_, index) => ((first + index) * step) / 100)
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
}

/** An axis label: `$2.5K`; in full where the lines are less than 10 USD apart, which the short form would round away. */
export function formatAxisLabel(usd: number, step: number): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    notation: step < 10 ? 'standard' : 'compact',
    minimumFractionDigits: Number.isInteger(usd) ? 0 : 2,
    maximumFractionDigits: step < 10 ? 2 : 5,
  })
    .format(usd)
    .replace('-', '−')
}
