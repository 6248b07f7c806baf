import { expect, test } from 'vitest'
import { readPath } from '../../../../test/support/readPath.ts'
import { computeChartShape } from './chartShape.ts'
import { simulateHeldBitcoin } from './heldBitcoin.ts'

const holding = simulateHeldBitcoin()
const shape = computeChartShape(holding)

const units = (y: number) => (y / 100) * shape.height

test('the worth is highest where it was highest, and begins and ends with its days', () => {
  const drawn = readPath(shape.worth)
  const top = Math.min(...drawn.map(({ y }) => y))
  const highestDay = holding.values.indexOf(Math.max(...holding.values))
  expect(drawn.find(({ x }) => x === highestDay)?.y).toBe(top)
  expect(drawn[0]?.x).toBe(0)
  expect(drawn.at(-1)).toEqual({ x: holding.values.length - 1, y: units(shape.last.y) })
})

test('falls hang from the waterline, and the worst reaches furthest down', () => {
  const drawn = readPath(shape.falls)
  const heights = drawn.map(({ y }) => y)
  expect(Math.min(...heights)).toBe(shape.water)
  expect(Math.max(...heights)).toBe(units(shape.low.y))
  expect(drawn.find(({ x }) => x === holding.worst.at)?.y).toBe(Math.max(...heights))
})

test('each sum on the axis is twice the one below it, and as far up', () => {
  expect(shape.ticks.map(({ usd }) => usd)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000,
  ])
  const places = shape.ticks.map(({ at }) => at)
  const steps = places.slice(1).map((place, index) => (places[index] ?? 0) - place)
  for (const step of steps) expect(Math.abs(step - (steps[0] ?? 0))).toBeLessThanOrEqual(1)
})
