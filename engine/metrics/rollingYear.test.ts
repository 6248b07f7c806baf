import { expect, test } from 'vitest'
import { computeRollingYear } from './rollingYear.ts'

test('is null for fewer than 365 days', () => {
  expect(computeRollingYear(new Float64Array(364).fill(100), 100, 0)).toBeNull()
})

test('compares each close with the close 365 days before, and the first period with the starting cash', () => {
  // 100 at first, then 110 on every day but the last two.
  const equity = Float64Array.from({ length: 367 }, (_, day) => (day < 365 ? 110 : day === 365 ? 55 : 220))
  const rolling = computeRollingYear(equity, 100, 0)
  expect(rolling?.periods).toBe(3)
  expect(rolling?.lost).toBeCloseTo(1 / 3, 12)
  expect(rolling?.median).toBeCloseTo(0.1, 12)
  expect(rolling?.worst).toEqual({ return: -0.5, from: '1970-01-02', to: '1971-01-01' })
  expect(rolling?.best).toEqual({ return: 1, from: '1970-01-03', to: '1971-01-02' })
})
