import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { reduceSeries } from './series.ts'

const prices = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
  size: 'max',
})
const steps = fc.integer({ min: 1, max: 40 })

test('a reduced series has the extremes and the ends of the whole one, in order, and few points', () => {
  fc.assert(
    fc.property(prices, steps, (values, count) => {
      const points = reduceSeries(values, count)
      const kept = points.map(({ value }) => value)
      expect(Math.max(...kept)).toBe(Math.max(...values))
      expect(Math.min(...kept)).toBe(Math.min(...values))
      expect([kept[0], kept.at(-1)]).toEqual([values[0], values.at(-1)])
      expect(points.length).toBeLessThanOrEqual(2 * count + 2)
      for (const [place, { index, value }] of points.entries()) {
        expect(value).toBe(values[index])
        expect(index).toBeGreaterThan(points[place - 1]?.index ?? -1)
      }
    }),
  )
})

it('a peak of one value between two steps stays', () => {
  const values = [...Array(50).fill(1), 9, ...Array(50).fill(1)]
  expect(reduceSeries(values, 4)).toContainEqual({ index: 50, value: 9 })
})

it('named places stay, those outside the series are left out', () => {
  const values = Array.from({ length: 100 }, (_, index) => index)
  expect(reduceSeries(values, 2, [-1, 17, 100]).map(({ index }) => index)).toEqual([0, 17, 49, 50, 99])
})

it('a short series stays whole', () => {
  expect(reduceSeries([3, 1, 2], 2)).toEqual([
    { index: 0, value: 3 },
    { index: 1, value: 1 },
    { index: 2, value: 2 },
  ])
})
