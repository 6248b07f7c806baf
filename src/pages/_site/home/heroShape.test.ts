import { expect, test } from 'vitest'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { readPath } from '../../../../test/support/readPath.ts'
import { computeFalls } from '../../../islands/investing/chart/chartCourse.ts'
import { getBacktest } from '../../_investing/strategies/getBacktest.ts'
import { listTests } from '../../_investing/strategies/marketTests.ts'
import { computeHeroShape } from './heroShape.ts'

const backtests = CATALOGUE.flatMap(listTests)
  .filter(({ on }) => on === 'bitcoin')
  .map(getBacktest)
const shape = computeHeroShape(backtests)
const charts = shape.charts.map((chart, index) => {
  const backtest = backtests[index]
  if (backtest === undefined) throw new Error('a chart without a test')
  return { ...chart, backtest }
})

test('all eight rules and their holding are drawn on one scale', () => {
  expect(charts).toHaveLength(8)
  const all = charts.flatMap(({ paths }) => [...readPath(paths.worth), ...readPath(paths.held)])
  const heights = all.map(({ y }) => y)
  expect(Math.min(...heights)).toBe(15)
  expect(Math.max(...heights)).toBe(335)
})

test('each line begins on its own first day, and all end on the last one', () => {
  for (const { paths, backtest } of charts) {
    const [rule, held] = [readPath(paths.worth), readPath(paths.held)]
    expect(rule[0]?.x).toBe(shape.width - backtest.equity.length + 1)
    expect(held[0]?.x).toBe(rule[0]?.x)
    expect(rule.at(-1)?.x).toBe(shape.width)
    expect(held.at(-1)?.x).toBe(shape.width)
  }
})

test('falls reach as deep as the data, in the same measure for a rule and for holding', () => {
  for (const { paths, backtest } of charts) {
    const { equity, benchmark, startingCash } = backtest
    for (const [path, worth] of [
      [paths.falls, equity],
      [paths['held-falls'], benchmark],
    ] as const) {
      const deepest = Math.max(...computeFalls(worth, startingCash))
      expect(Math.max(...readPath(path).map(({ y }) => y))).toBe(Math.round(360 + deepest * 140))
    }
  }
})

test('the amounts at the right edge never touch', () => {
  for (const { ends } of charts) expect(Math.abs(ends.rule - ends.held)).toBeGreaterThanOrEqual(10.9)
})

test('each amount on the axis is ten times the one below it', () => {
  expect(shape.ticks.map(({ usd }) => usd)).toEqual([1000, 10_000, 100_000])
})
