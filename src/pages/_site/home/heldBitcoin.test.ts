import { expect, test } from 'vitest'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { getBacktest } from '../../_investing/strategies/getBacktest.ts'
import { listTests } from '../../_investing/strategies/marketTests.ts'
import { PAID_IN_USD, simulateHeldBitcoin } from './heldBitcoin.ts'

const { falls, worst, costUsd, finalUsd, firstDay, lastDay, years } = simulateHeldBitcoin()

test('it is what the backtest of holding bitcoin says, to the cent', () => {
  const strategy = CATALOGUE.find(({ slug }) => slug === 'hold-the-index')
  if (!strategy) throw new Error('no such strategy')
  const [onBitcoin] = listTests(strategy)
  const tested = getBacktest(onBitcoin)
  expect(onBitcoin.on).toBe('bitcoin')
  expect(tested.startingCash).toBe(PAID_IN_USD)
  expect([firstDay, lastDay]).toEqual([tested.firstDay, tested.lastDay])
  expect(finalUsd).toBeCloseTo(tested.equity.at(-1) ?? 0, 2)
  expect(worst.share).toBeCloseTo(tested.worstFalls[0]?.depth ?? 0, 6)
  expect([worst.fromDay, worst.toDay]).toEqual([tested.worstFalls[0]?.from, tested.worstFalls[0]?.to])
  expect(costUsd).toBeCloseTo(tested.atCosts.find(({ multiple }) => multiple === 1)?.figures.costs ?? 0, 2)
})

test('the fall of more than 80 % is shown, from December 2017 to December 2018', () => {
  expect(worst).toMatchObject({ fromDay: '2017-12-16', toDay: '2018-12-15' })
  expect(worst.share).toBeLessThan(-0.8)
})

test('the cost of buying comes off before anything is held', () => {
  expect(costUsd).toBeGreaterThan(4.9)
  expect(costUsd).toBeLessThan(5)
})

test('every tested year is shown, those with losses as well', () => {
  expect(years.map(({ year }) => year)).toEqual([
    2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026,
  ])
  expect(years.at(-1)?.endUsd).toBe(finalUsd)
})

test('the worst of the years, and of the days, is the worst of all', () => {
  expect(Math.min(...years.map(({ deepest }) => deepest))).toBe(worst.share)
  expect(Math.min(...falls)).toBe(worst.share)
  expect(falls[worst.at]).toBe(worst.share)
  expect(worst.to / worst.from - 1).toBeCloseTo(worst.share, 12)
})
