import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { sum } from '../../../contract/numbers.ts'
import { reduceSeries } from '../../../contract/series.ts'
import { computeFalls } from '../../../islands/investing/chart/chartCourse.ts'
import { drawLine } from '../../_investing/strategies/courseShape.ts'
import type { MarketTest } from '../../_investing/strategies/marketTests.ts'

/** A strategy that the account invested in on the first day, and its test. */
export interface SampleHolding {
  readonly name: string
  readonly paidInUsd: number
  readonly backtest: Pick<Backtest, 'equity' | 'startingCash' | 'firstDay' | 'lastDay' | 'holdOutFrom'>
}

/** What the account of the home page holds. */
const PAID_IN_USD: Readonly<Record<string, number>> = { 'even-keel': 6000, 'slow-trend': 4000 }

/** The strategies of the home page's account, in the order of the tests. */
export function listSampleHoldings(
  tests: readonly { readonly test: Pick<MarketTest, 'strategy'>; readonly backtest: Backtest }[],
): SampleHolding[] {
  return tests.flatMap(({ test: { strategy }, backtest }) => {
    const paidInUsd = PAID_IN_USD[strategy.slug]
    return paidInUsd === undefined ? [] : [{ name: strategy.name, paidInUsd, backtest }]
  })
}

/**
 * An account that put money into strategies on the first out-of-sample day of their tests and left it there: its value at the end of each
 * day in USD, what it is worth and where, and its worst fall as a negative share.
 */
export function computeSampleAccount(holdings: readonly SampleHolding[]) {
  const [first] = holdings
  if (first === undefined) throw new Error('The account needs a strategy.')
  const { holdOutFrom: firstDay, lastDay } = first.backtest
  const courses = holdings.map(({ paidInUsd, backtest: { equity, startingCash, firstDay: tested } }) => {
    const begins = toDayNumber(firstDay) - toDayNumber(tested)
    const before = equity[begins - 1] ?? startingCash
    return equity.slice(begins).map((usd) => (usd / before) * paidInUsd)
  })
  const values = (courses[0] ?? []).map((_, day) => sum(courses.map((course) => course[day] ?? 0)))
  const paidInUsd = sum(holdings.map((holding) => holding.paidInUsd))
  return {
    firstDay,
    lastDay,
    paidInUsd,
    values,
    valueUsd: values.at(-1) ?? 0,
    worstFall: -Math.max(...computeFalls(values, paidInUsd)),
    positions: holdings.map(({ name, paidInUsd }, index) => ({
      name,
      paidInUsd,
      valueUsd: courses[index]?.at(-1) ?? 0,
    })),
  }
}

/** The picture's height in units. */
const HEIGHT = 160
const TOP = 10
const FLOOR = 150
/** Each keeps its lowest and its highest value. */
const STEPS = 120

/** The values as an SVG path, one unit of width per day, and the height of the waterline: the money paid in. */
export function drawSampleAccount({ values, paidInUsd }: Pick<SampleAccount, 'values' | 'paidInUsd'>) {
  const [least, most] = [Math.min(...values, paidInUsd), Math.max(...values, paidInUsd)]
  const place = (usd: number) => Math.round(FLOOR - ((usd - least) / (most - least || 1)) * (FLOOR - TOP))
  return {
    width: Math.max(1, values.length - 1),
    height: HEIGHT,
    water: place(paidInUsd),
    worth: drawLine(reduceSeries(values, STEPS), place),
  }
}

type SampleAccount = ReturnType<typeof computeSampleAccount>
