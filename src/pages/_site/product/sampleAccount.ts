import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { sum } from '../../../contract/numbers.ts'
import { reduceSeries } from '../../../contract/series.ts'
import { computeFalls } from '../../../islands/investing/chart/chartCourse.ts'
import { computeScale } from '../../../islands/overview/balanceScale.ts'
import { drawArea, drawLine } from '../../_investing/strategies/courseShape.ts'
import type { MarketTest } from '../../_investing/strategies/marketTests.ts'

/** A strategy that the account invested in, and its test. */
export interface SampleHolding {
  readonly name: string
  readonly paidInUsd: number
  readonly backtest: Pick<Backtest, 'equity' | 'lastDay'>
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

/** The days that the account has existed before its last one, so that the overview's year has all of it and a day before. */
const HELD_DAYS = 363

/**
 * An account that put money into strategies in the last year of their tests and left it there, beside some cash: its value at the end of
 * each day in USD, beginning with what was paid in, what it is worth and where, and its worst fall as a negative share.
 */
export function computeSampleAccount(
  holdings: readonly SampleHolding[],
  cashUsd = CASH_USD,
  heldDays = HELD_DAYS,
) {
  const [first] = holdings
  if (first === undefined) throw new Error('The account needs a strategy.')
  const { lastDay } = first.backtest
  const courses = holdings.map(({ paidInUsd, backtest: { equity } }) => {
    const held = equity.slice(-heldDays - 1)
    return held.map((usd) => (usd / (held[0] ?? usd)) * paidInUsd)
  })
  const values = (courses[0] ?? []).map((_, day) => cashUsd + sum(courses.map((course) => course[day] ?? 0)))
  const paidInUsd = cashUsd + sum(holdings.map((holding) => holding.paidInUsd))
  return {
    firstDay: toDayName(toDayNumber(lastDay) - values.length + 1),
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

/** The chart's height in units, as in the overview. */
const HEIGHT = 160
/** Each keeps its lowest and its highest value. */
const STEPS = 120

/**
 * The account as the overview draws it: its days, beginning with the one before it was opened, and the line and the area as SVG paths with
 * one unit of width per day.
 */
export function drawSampleAccount({
  values,
  firstDay,
  paidInUsd,
}: Pick<SampleAccount, 'values' | 'firstDay' | 'paidInUsd'>) {
  const shown = [0, ...values]
  const begins = toDayNumber(firstDay) - 1
  const lines = computeScale(shown)
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1]
  const place = (usd: number) => Math.round(HEIGHT - ((usd - bottom) / (top - bottom)) * HEIGHT)
  const points = reduceSeries(shown, STEPS, [1])
  return {
    days: shown.map((balance, index) => ({
      day: toDayName(begins + index),
      balance,
      paidIn: index === 1 ? paidInUsd : 0,
    })),
    lines,
    width: shown.length - 1,
    height: HEIGHT,
    place,
    paths: {
      'sample-account': drawLine(points, place),
      'sample-account-area': drawArea(points, place, HEIGHT),
    },
  }
}

type SampleAccount = ReturnType<typeof computeSampleAccount>
