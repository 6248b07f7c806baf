import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeScale, cutEmptyDays, formatAxisLabel } from './balanceScale.ts'

test.each([
  [[0], [0, 0.5, 1]],
  [[0.01], [0, 0.01]],
  [[0.3], [0, 0.1, 0.2, 0.3]],
  [
    [900, 1050],
    [900, 950, 1000, 1050],
  ],
  [[2100], [0, 1000, 2000, 3000]],
  [
    [60, 100],
    [0, 50, 100],
  ],
  [[9_999_999_999.99], [0, 5e9, 10e9]],
  [
    [-30, 100],
    [-50, 0, 50, 100],
  ],
  [[-80], [-80, -60, -40, -20, 0]],
])('a course of %j has lines at %j', (values, lines) => {
  expect(computeScale(values)).toEqual(lines)
})

test('every course lies within its lines, which are few, even, in whole cents, and hold zero or are fitted', () => {
  const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 365 }), (course) => {
      const values = course.map((each) => each / 100)
      const lines = computeScale(values)
      expect(lines.length).toBeGreaterThanOrEqual(2)
      expect(lines.length).toBeLessThanOrEqual(6)
      const [low, high] = [Math.min(...values), Math.max(...values)]
      if (low <= 0 || high === low || high - low >= low / 2) expect(lines).toContain(0)
      expect(lines[0]).toBeLessThanOrEqual(Math.min(...values))
      expect(lines.at(-1)).toBeGreaterThanOrEqual(Math.max(...values))
      for (const line of lines) expect(Math.abs(line * 100 - Math.round(line * 100))).toBeLessThan(1e-3)
    }),
  )
})

test('figures at the axis are short, with a real minus, and with cents where they have some', () => {
  expect([2500, 0, -50, 12_500, 1_234_550, 10e9].map((usd) => formatAxisLabel(usd, 50))).toEqual([
    '$2.5K',
    '$0',
    '−$50',
    '$12.5K',
    '$1.23455M',
    '$10B',
  ])
  expect([0.5, 3150.5, 3151].map((usd) => formatAxisLabel(usd, 0.5))).toEqual([
    '$0.50',
    '$3,150.50',
    '$3,151',
  ])
})

test('a course begins on the day before the first money, also if it left the same day', () => {
  const createCourse = (...days: [balance: number, paidIn: number][]) =>
    days.map(([balance, paidIn], index) => ({ day: `2026-01-0${index + 1}`, balance, paidIn }))
  const listDays = (course: readonly { day: string }[]) => course.map(({ day }) => day)
  const course = createCourse([0, 0], [0, 0], [0, 0], [100, 100], [0, -100])
  expect(listDays(cutEmptyDays(course))).toEqual(['2026-01-03', '2026-01-04', '2026-01-05'])
  expect(cutEmptyDays(createCourse([0, 0], [0, 0]))).toHaveLength(2)
  expect(cutEmptyDays(createCourse([5, 0], [6, 0]))).toHaveLength(2)
})
