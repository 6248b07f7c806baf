import { describe, expect, test } from 'vitest'
import stored from '../../../../data/testedFigures.json' with { type: 'json' }
import type { Check } from '../../../../engine/backtest/backtestResult.ts'
import {
  formatSignedPercent as formatDashboardPercent,
  formatWholeDollars,
} from '../../../islands/investing/strategies/words.ts'
import {
  checkText,
  describeRecovery,
  formatFigureUsd,
  formatPercent,
  formatSignedPercent,
  formatWholeUsd,
  listPrintedFigures,
  ROWS,
} from './figures.ts'
import { getBacktest } from './getBacktest.ts'
import { listAllTests } from './marketTests.ts'

const tests = listAllTests().map((tested) => ({
  slug: `${tested.strategy.slug} on ${tested.on}`,
  name: tested.strategy.name,
  api: Object.entries(stored.figures).find(([slug]) => slug === tested.slug)?.[1],
  result: getBacktest(tested),
}))

test('each strategy is shown with its period, its costs at four multiples, and its worst falls', () => {
  for (const { slug, result } of tests) {
    const figures = new Map(listPrintedFigures(result).map(({ key, text }) => [key, text]))
    expect(figures.get('days'), slug).toMatch(/^[23],\d{3}$/)
    expect(figures.get('fall-1'), slug).toMatch(/^−\d+\.\d%$/)
    for (const multiple of [0, 1, 2, 3]) {
      expect(figures.get(`x${multiple}-costs`), slug).toMatch(/^\$[\d,]+\.\d\d$/)
      expect(figures.get(`x${multiple}-maximumDrawdown`), slug).toMatch(/^−\d+\.\d%$/)
    }
    expect(figures.get('fall-1'), slug).toBe(figures.get('x1-maximumDrawdown'))
    expect(figures.get('x0-costs')).toBe('$0.00')
  }
})

test('losses stand before gains in every list of figures', () => {
  const order: string[] = ROWS.map(({ of }) => of)
  const places = (names: readonly string[]) => names.map((name) => order.indexOf(name))
  const losses = places([
    'maximumDrawdown',
    'longestUnderWaterDays',
    'valueAtRisk95',
    'expectedShortfall95',
    'costs',
  ])
  const gains = places(['totalReturn', 'cagr', 'sharpe', 'sortino', 'calmar', 'profitFactor'])
  expect(Math.min(...losses, ...gains)).toBe(0)
  expect(Math.max(...losses)).toBeLessThan(Math.min(...gains))
  for (const { result } of tests) {
    const keys = listPrintedFigures(result).map(({ key }) => key)
    expect(keys.indexOf('fall-1')).toBeLessThan(keys.indexOf('x1-totalReturn'))
  }
})

test('the dashboard prints the figures of a test with the digits of its page', () => {
  for (const { slug, api, result } of tests) {
    if (api === undefined) throw new Error(`${slug} has no figures in the API.`)
    const figures = new Map(listPrintedFigures(result).map(({ key, text }) => [key, text]))
    expect(formatDashboardPercent(api.maximumDrawdown), slug).toBe(figures.get('x1-maximumDrawdown'))
    expect(formatWholeDollars(api.became), slug).toBe(figures.get('became'))
    expect(formatWholeDollars(api.heldBecame), slug).toBe(figures.get('held-became'))
  }
})

test('no two figures of a page have the same name', () => {
  for (const { result } of tests) {
    const keys = listPrintedFigures(result).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

describe('a figure', () => {
  test('has a real minus sign, and none where it is nothing', () => {
    expect([
      formatPercent(-0.123),
      formatPercent(-0.0001),
      formatSignedPercent(0.05),
      formatSignedPercent(0),
      formatSignedPercent(-0.5),
    ]).toEqual(['−12.3%', '0.0%', '+5.0%', '0.0%', '−50.0%'])
    expect([formatFigureUsd(1234.5), formatFigureUsd(-0.5), formatFigureUsd(1_234_567)]).toEqual([
      '$1,234.50',
      '−$0.50',
      '$1,234,567.00',
    ])
    expect([formatWholeUsd(1473.4), formatWholeUsd(996.5), formatPercent(0.0035, 2)]).toEqual([
      '$1,473',
      '$997',
      '0.35%',
    ])
  })

  test('of a loss says how long it took to be made good', () => {
    expect([describeRecovery(null), describeRecovery(0), describeRecovery(1), describeRecovery(861)]).toEqual(
      ['not by the end of the test', 'nothing was lost', '1 day', '861 days'],
    )
  })
})

test('a check of luck is told in per cent only where these say something', () => {
  const told = (of: Check['of'], value: number | null, inSampleSharpe: number | null = 1) =>
    checkText({ of, value, against: 0, for: 0.5, stands: 'unclear' }, inSampleSharpe)
  expect([told('neighbours', 0.41), told('hold-out', 0.39), told('deflated-sharpe', null)]).toEqual([
    '41%',
    '39%',
    '–',
  ])
  expect([told('hold-out', 8.34), told('walk-forward', -11.22)]).toEqual([
    'more than all of it',
    'nothing, it lost',
  ])
  expect([told('hold-out', null), told('hold-out', null, -0.1)]).toEqual(['–', 'there was no gain to keep'])
})
