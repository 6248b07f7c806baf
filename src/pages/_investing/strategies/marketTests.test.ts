import { describe, expect, test } from 'vitest'
import { OUT_OF_SAMPLE_FROM } from '../../../../engine/backtest/realTests.ts'
import { CATALOGUE, type OfferedStrategy } from '../../../../engine/catalogue.ts'
import { getBacktest } from './getBacktest.ts'
import { describeEvents } from './labels.ts'
import { listAllTests, listTests } from './marketTests.ts'

test('every strategy is tested on bitcoin, on ether or the five coins, and on the simulated market, in this order', () => {
  for (const strategy of CATALOGUE) {
    const isForOne = strategy.definition.assets.length === 1
    expect(listTests(strategy).map(({ on }) => on)).toEqual([
      'bitcoin',
      isForOne ? 'ether' : 'basket',
      'simulated',
    ])
  }
  expect(listAllTests()).toHaveLength(24)
})

describe.each(CATALOGUE.flatMap((strategy) => listTests(strategy)))('$strategy.name on $on', (tested) => {
  const { strategy, definition, on } = tested
  const result = getBacktest(tested)

  test('has the parameters and the risk limits of the catalogue', () => {
    const { kind, values, risk }: OfferedStrategy['definition'] = strategy.definition
    expect([definition.kind, definition.values, definition.risk]).toEqual([kind, values, risk])
  })

  test('ends its real tests together, out of sample from 2022-01-01, forward from 2024-01-01, beside bitcoin and the basket', () => {
    if (on === 'simulated') return expect(result.beside).toEqual([])
    expect(result.holdOutFrom).toBe(OUT_OF_SAMPLE_FROM)
    expect([result.holdOut?.firstDay, result.holdOut?.lastDay]).toEqual(['2022-01-01', '2023-12-31'])
    expect([result.forward?.firstDay, result.forward?.lastDay]).toEqual(['2024-01-01', '2026-07-20'])
    expect(definition.costs).toEqual({ feeBasisPoints: 40, slippageBasisPoints: 10 })
    const expected = { bitcoin: ['basket'], ether: ['bitcoin', 'basket'], basket: ['bitcoin'] }
    expect(result.beside.map(({ of }) => of)).toEqual(expected[on])
    for (const { figures } of result.beside) expect(figures.days).toBe(result.days)
  })

  test('has a year, a one-year return and a share of days under water for every day', () => {
    expect(result.years.reduce((days, year) => days + year.days, 0)).toBe(result.days)
    expect(result.rollingYear?.periods).toBe(result.days - 364)
    const growth = result.years.reduce((product, year) => product * (1 + year.return), 1)
    const [, own] = result.atCosts
    expect(growth - 1).toBeCloseTo(own?.figures.totalReturn ?? 0, 6)
    const peaks = result.equity.map((_, day) =>
      Math.max(result.startingCash, ...result.equity.slice(0, day + 1)),
    )
    const under = result.equity.filter((worth, day) => worth < (peaks[day] ?? 0) - 0.005).length
    expect(own?.figures.underWater).toBeCloseTo(under / result.days, 2)
  })
})

test('a fall names the events that were between its peak and its low', () => {
  expect(describeEvents('2017-12-16', '2018-12-15')).toBe(
    'fears of a ban in South Korea, the theft from Coincheck, the split of Bitcoin Cash',
  )
  expect(describeEvents('2022-11-10', '2022-11-20')).toBe('the bankruptcy of FTX')
  expect(describeEvents('2019-07-01', '2019-08-01')).toBe('')
})
