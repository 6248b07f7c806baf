import { expect, test } from 'vitest'
import { backtest } from '../../../../engine/backtest.ts'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/simulatedPaths.ts'
import { heldIndex, PAID_IN_USD } from './heldIndex.ts'

const { values, falls, worst, costUsd, finalUsd, years } = heldIndex()

test('it is what the test of holding the index says, to the cent', () => {
  const definition = CATALOGUE.find(({ slug }) => slug === 'hold-the-index')?.definition
  if (!definition) throw new Error('no such strategy')
  const tested = backtest(simulatedMarket(['sim-index'], SIMULATED_START, TESTED_UNTIL), definition, {
    light: true,
  })
  expect(tested.startingCash).toBe(PAID_IN_USD)
  expect(finalUsd).toBeCloseTo(tested.equity.at(-1) ?? 0, 2)
  expect(worst.share).toBeCloseTo(tested.worstFalls[0]?.depth ?? 0, 6)
  expect(costUsd).toBeCloseTo(tested.atCosts.find(({ multiple }) => multiple === 1)?.figures.costs ?? 0, 2)
})

test('the cost of buying comes off before anything is held', () => {
  expect(costUsd).toBeGreaterThan(3.4)
  expect(costUsd).toBeLessThan(3.5)
})

test('all the days that are tested are shown, in which money is lost as well', () => {
  expect(years.map(({ year }) => year)).toEqual([2020, 2021, 2022, 2023, 2024, 2025, 2026])
  expect(years.at(-1)?.endUsd).toBe(finalUsd)
  expect(worst.share).toBeLessThan(-0.1)
})

test('the worst of the years, and of the weeks, is the worst of all', () => {
  expect(Math.min(...years.map(({ deepest }) => deepest))).toBe(worst.share)
  expect(Math.min(...falls)).toBe(worst.share)
  expect(falls[worst.at]).toBe(worst.share)
  expect(worst.to / worst.from - 1).toBeCloseTo(worst.share, 12)
})

test('it is drawn by weeks', () => {
  expect(values).toHaveLength(339)
  expect(falls).toHaveLength(339)
})
