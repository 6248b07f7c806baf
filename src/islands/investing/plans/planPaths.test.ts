import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mulberry32 } from '../../../../engine/random.ts'
import { playPlan, simulatePlan } from './planPaths.ts'

const dailyReturns = fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), {
  minLength: 1,
  maxLength: 80,
})
const dailyPayments = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 200 })

test('constant returns give one line: what a savings plan at that rate is worth', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -0.02, max: 0.02, noNaN: true }),
      dailyPayments,
      fc.double({ min: 0, max: 0.01, noNaN: true }),
      (share, payments, cost) => {
        const constant = new Array<number>(50).fill(share)
        const { bad, middle, good } = simulatePlan(constant, { payments, cost }, mulberry32(7), 20)
        expect(bad).toEqual(middle)
        expect(good).toEqual(middle)
        const expected = payments.reduce(
          (usd, payment, day) => usd + payment * (1 - cost) * (1 + share) ** (payments.length - day),
          0,
        )
        expect(middle.at(-1)).toBeCloseTo(expected, 6)
      },
    ),
    { numRuns: 30 },
  )
})

test('the same seed gives the same result, and bad, middle and good are in order on every day', () => {
  fc.assert(
    fc.property(dailyReturns, dailyPayments, fc.integer(), (returns, payments, seed) => {
      const plan = { payments, cost: 0.0035 }
      const outlook = simulatePlan(returns, plan, mulberry32(seed), 40)
      expect(simulatePlan(returns, plan, mulberry32(seed), 40)).toEqual(outlook)
      for (const [index, middle] of outlook.middle.entries()) {
        expect(outlook.bad[index]).toBeLessThanOrEqual(middle)
        expect(outlook.good[index]).toBeGreaterThanOrEqual(middle)
        expect(outlook.bad[index]).toBeGreaterThanOrEqual(0)
      }
    }),
    { numRuns: 30 },
  )
})

test('every payment is counted once, on its day, and twice the payments are worth twice as much', () => {
  fc.assert(
    fc.property(dailyReturns, dailyPayments, fc.integer(), (returns, payments, seed) => {
      const single = simulatePlan(returns, { payments, cost: 0.01 }, mulberry32(seed), 20)
      const twice = { payments: payments.map((usd) => 2 * usd), cost: 0.01 }
      const double = simulatePlan(returns, twice, mulberry32(seed), 20)
      expect(single.days.at(-1)).toBe(payments.length)
      expect(single.paidIn.at(-1)).toBe(payments.reduce((sum, usd) => sum + usd, 0))
      for (const [index, usd] of single.middle.entries()) expect(double.middle[index]).toBeCloseTo(2 * usd, 6)
    }),
    { numRuns: 30 },
  )
})

test('without gains, losses and costs, a plan is worth what was paid in', () => {
  const payments = Array.from({ length: 365 }, (_, day) => (day % 30 === 0 ? 100 : 0))
  const outlook = simulatePlan([0], { payments, cost: 0 }, mulberry32(1), 5)
  expect(outlook.middle).toEqual(outlook.paidIn)
  expect(outlook.days.slice(0, 2)).toEqual([30, 60])
  expect(outlook.paidIn.at(-1)).toBe(1300)
  expect(playPlan(new Array<number>(365).fill(0), { payments, cost: 0 })).toBe(1300)
})

test('a year is played in its order: later payments miss earlier falls', () => {
  const payments = [100, 0, 100, 0]
  expect(playPlan([-0.5, 0, 0, 0], { payments, cost: 0 })).toBe(150)
  expect(playPlan([0, 0, 0, -0.5], { payments, cost: 0.1 })).toBe(90)
})
