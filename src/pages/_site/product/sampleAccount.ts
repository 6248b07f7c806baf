import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { sum } from '../../../contract/numbers.ts'
import { reduceSeries } from '../../../contract/series.ts'
import { computeFalls } from '../../../islands/investing/chart/chartCourse.ts'
import { computeScale } from '../../../islands/overview/balanceScale.ts'
import { drawLine } from '../../_investing/strategies/courseShape.ts'
import type { MarketTest } from '../../_investing/strategies/marketTests.ts'

/** A strategy that the account invested in on the first day, and its test. */
export interface SampleHolding {
  readonly name: string
  readonly paidInUsd: number
  readonly backtest: Pick<Backtest, 'equity' | 'startingCash' | 'firstDay' | 'lastDay' | 'holdOutFrom'>
}

/** What the account of the home page holds. */
const CASH_USD = 1000
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
 * An account that put money into strategies on the first out-of-sample day of their tests and left it there, beside some cash: its value at
 * the end of each day in USD, what it is worth and where, and its worst fall as a negative share.
 */
export function computeSampleAccount(holdings: readonly SampleHolding[], cashUsd = CASH_USD) {
  const [first] = holdings
  if (first === undefined) throw new Error('The account needs a strategy.')
  const { holdOutFrom: firstDay, lastDay } = first.backtest
  const courses = holdings.map(({ paidInUsd, backtest: { equity, startingCash, firstDay: tested } }) => {
    const begins = toDayNumber(firstDay) - toDayNumber(tested)
    const before = equity[begins - 1] ?? startingCash
    return equity.slice(begins).map((usd) => (usd / before) * paidInUsd)
  })
  const values = (courses[0] ?? []).map((_, day) => cashUsd + sum(courses.map((course) => course[day] ?? 0)))
  const paidInUsd = cashUsd + sum(holdings.map((holding) => holding.paidInUsd))
  return {
    firstDay,
    lastDay,
    paidInUsd,
    values,
    valueUsd: values.at(-1) ?? 0,
    cashUsd,
    worstFall: -Math.max(...computeFalls(values, paidInUsd)),
    positions: holdings.map(({ name, paidInUsd }, index) => ({
      name,
      paidInUsd,
      valueUsd: courses[index]?.at(-1) ?? 0,
    })),
  }
}

/** The most days that the overview's chart shows. */
const SHOWN_DAYS = 365
/** The chart's height in units, as in the overview. */
const HEIGHT = 160
/** Each keeps its lowest and its highest value. */
const STEPS = 120

/** The last year of the account as the overview draws it: its days, and the line as an SVG path with one unit of width per day. */
export function drawSampleAccount({ values, lastDay }: Pick<SampleAccount, 'values' | 'lastDay'>) {
  const shown = values.slice(-SHOWN_DAYS)
  const end = toDayNumber(lastDay)
  const days = shown.map((balance, index) => ({
    day: toDayName(end - shown.length + 1 + index),
    balance,
    paidIn: 0,
  }))
  const lines = computeScale(shown)
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1]
  const place = (usd: number) => Math.round(HEIGHT - ((usd - bottom) / (top - bottom)) * HEIGHT)
  return {
    days,
    lines,
    width: Math.max(1, shown.length - 1),
    height: HEIGHT,
    place,
    worth: drawLine(reduceSeries(shown, STEPS), place),
  }
}

type SampleAccount = ReturnType<typeof computeSampleAccount>
