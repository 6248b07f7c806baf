import { expect, test } from 'vitest'
import { computeAccountReturns } from './returns.ts'

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
