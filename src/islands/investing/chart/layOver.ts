import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { computeFalls, type FallsCourse } from './chartCourse.ts'

/** A test, and the name of its line. */
export interface NamedTest {
  readonly name: string
  readonly backtest: Pick<Backtest, 'firstDay' | 'lastDay' | 'equity'>
}

/** USD at the start of each line. */
const PAID_IN = 1000

/** One course from the first to the last day that all tests have. The first test is its main line. */
export function layOver(tests: readonly NamedTest[]): FallsCourse {
  const firsts = tests.map(({ backtest }) => toDayNumber(backtest.firstDay))
  const from = Math.max(...firsts)
  const to = Math.min(...tests.map(({ backtest }) => toDayNumber(backtest.lastDay)))
  const lines = tests.map(({ name, backtest }, index) => {
    const first = firsts[index] ?? from
    const days = backtest.equity.slice(from - first, to - first + 1)
    const [start = PAID_IN] = days
    return { label: name, worth: days.map((usd) => Math.round((usd / start) * PAID_IN * 100) / 100) }
  })
  const [main = { label: '', worth: [] }, ...beside] = lines
  return {
    ...main,
    days: main.worth.map((_, index) => toDayName(from + index)),
    falls: computeFalls(main.worth),
    scale: 'ratio',
    beside,
  }
}
