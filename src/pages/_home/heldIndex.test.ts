import { expect, test } from 'vitest'
import { heldIndex, SHOWN } from './heldIndex.ts'
import { simulatedMarket } from './simulatedMarket.ts'

test('the cost of buying comes off before anything is held', () => {
  const { values, costUsd, falls } = heldIndex(SHOWN)
  expect(costUsd).toBe(3.5)
  expect(values[0]).toBeCloseTo(996.5, 9)
  expect(falls[0]).toBeCloseTo(-0.0035, 9)
})

test('what is held moves as the index does', () => {
  const prices = simulatedMarket(SHOWN.seed, 208)
  const { finalUsd } = heldIndex(SHOWN)
  expect(finalUsd).toBeCloseTo((996.5 * (prices[208] ?? 0)) / 100, 9)
})

test('the worst of the years is the worst of all, and the last one ends where it all ends', () => {
  const { years, worst, finalUsd } = heldIndex(SHOWN)
  expect(years.map(({ year }) => year)).toEqual([1, 2, 3, 4])
  expect(Math.min(...years.map(({ deepest }) => deepest))).toBe(worst.share)
  expect(years.at(-1)?.endUsd).toBe(finalUsd)
})

test('the picture shows a market of a plain seed, in which money is lost as well', () => {
  expect(SHOWN.seed).toBe(1)
  expect(heldIndex(SHOWN).worst.share).toBeLessThan(-0.1)
})
