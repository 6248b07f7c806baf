import { expect, test } from 'vitest'
import { computeAccountReturns, computeGain } from './returns.ts'

const courseOf = (...days: [balance: number, paidIn: number][]) =>
  days.map(([balance, paidIn], index) => ({ day: `2026-01-0${index + 1}`, balance, paidIn }))

test('money that comes and goes is no return', () => {
  expect(computeAccountReturns(courseOf([0, 0], [100, 100], [250, 150], [50, -200]))).toEqual({
    from: '2026-01-02',
    isCut: false,
    timeWeighted: 0,
    moneyWeighted: expect.closeTo(0, 9),
  })
})

test('a gain counts by day in one return, and by the money that made it in the other', () => {
  const returns = computeAccountReturns(courseOf([100, 100], [110, 0], [1110, 1000], [999, 0]))
  expect(returns?.isCut).toBe(true)
  expect(returns?.timeWeighted).toBeCloseTo(1.1 * 0.9 - 1, 9)
  expect(returns?.moneyWeighted).toBeLessThan(-0.05)
})

test('without a whole day with money there is none', () => {
  expect(computeAccountReturns(courseOf([0, 0], [100, 100]))).toBeNull()
  expect(computeAccountReturns([])).toBeNull()
})

test('the gain of some days leaves out what was paid in and out, and cents add up', () => {
  const course = courseOf([100.1, 100.1], [110.2, 0], [1110.1, 1000], [1099.95, -20.05])
  expect([1, 2, 3, 30].map((days) => computeGain(course, days))).toEqual([9.9, 9.8, 19.9, 19.9])
  expect([computeGain(courseOf([5, 5]), 1), computeGain([], 1)]).toEqual([0, 0])
})
