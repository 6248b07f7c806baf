import { expect, test } from 'vitest'
import { computeChartShape } from './chartShape.ts'
import { simulateHeldBitcoin } from './heldBitcoin.ts'

const holding = simulateHeldBitcoin()
const shape = computeChartShape(holding)

const units = (y: number) => (y / 100) * shape.height

/** The absolute heights of a path of relative steps. */
function heights(path: string): number[] {
  const [, start = '0', steps = ''] = /^M0 (\d+)l([^V]*)/.exec(path) ?? []
  const numbers = (steps.match(/-?\d+/g) ?? []).map(Number)
  let y = Number(start)
  return [y, ...numbers.filter((_, index) => index % 2 === 1).map((step) => (y += step))]
}

test('the worth is drawn for every week, highest where it was highest', () => {
  const drawn = heights(shape.worth)
  expect(drawn).toHaveLength(holding.values.length)
  expect(drawn.indexOf(Math.min(...drawn))).toBe(holding.values.indexOf(Math.max(...holding.values)))
  expect(drawn.at(-1)).toBe(units(shape.last.y))
})

test('falls hang from the waterline, and the worst reaches furthest down', () => {
  const [water, ...drawn] = heights(shape.falls)
  expect(water).toBe(shape.water)
  expect(drawn).toHaveLength(holding.falls.length)
  expect(Math.min(...drawn)).toBe(shape.water)
  expect(drawn[holding.worst.at]).toBe(Math.max(...drawn))
  expect(Math.max(...drawn)).toBe(units(shape.low.y))
})

test('each sum on the axis is twice the one below it, and as far up', () => {
  expect(shape.ticks.map(({ usd }) => usd)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000])
  const places = shape.ticks.map(({ at }) => at)
  const steps = places.slice(1).map((place, index) => (places[index] ?? 0) - place)
  for (const step of steps) expect(Math.abs(step - (steps[0] ?? 0))).toBeLessThanOrEqual(1)
})
