import { expect, test } from 'vitest'
import { simulatedMarket } from './simulatedMarket.ts'

test('one seed gives the same prices always', () => {
  expect(simulatedMarket(1, 208)).toEqual(simulatedMarket(1, 208))
})

test('another seed gives another market', () => {
  expect(simulatedMarket(2, 208)).not.toEqual(simulatedMarket(1, 208))
})

test('a shorter run is the beginning of a longer one: no price knows of a later one', () => {
  expect(simulatedMarket(1, 52)).toEqual(simulatedMarket(1, 208).slice(0, 53))
})

test('there is a price before the first week and one after each, all above nothing', () => {
  const prices = simulatedMarket(1, 520)
  expect(prices).toHaveLength(521)
  expect(prices[0]).toBe(100)
  expect(Math.min(...prices)).toBeGreaterThan(0)
})

test('over many seeds a year brings about the drift less the jumps, and a volatility of about a fifth', () => {
  const gains = Array.from({ length: 4000 }, (_, seed) =>
    Math.log((simulatedMarket(seed, 52)[52] ?? 0) / 100),
  )
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  const deviation = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length)
  // Half a jump of −10.5 % a year comes off the drift of 8 %, and so does half the variance.
  expect(mean).toBeGreaterThan(-0.03)
  expect(mean).toBeLessThan(0.03)
  expect(deviation).toBeGreaterThan(0.2)
  expect(deviation).toBeLessThan(0.3)
})
