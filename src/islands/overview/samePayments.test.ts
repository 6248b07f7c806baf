import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeSamePayments } from './samePayments.ts'

const createCourse = (...days: [balance: number, paidIn: number][]) =>
  days.map(([balance, paidIn], index) => ({ day: `2026-01-0${index + 1}`, balance, paidIn }))
const createPrices = (...closes: (number | null)[][]) => ({
  days: Array.from({ length: closes[0]?.length ?? 0 }, (_, index) => `2026-01-0${index + 1}`),
  coins: closes.map((prices, index) => ({ id: `coin-${index}`, name: `Coin ${index}`, closes: prices })),
})
const CASH = { days: [], coins: [] }

test('each payment buys at the close of its day and follows the price from then on', () => {
  const course = createCourse([0, 0], [100, 100], [90, 0], [140, 50])
  expect(computeSamePayments(course, createPrices([7, 10, 20, 5]))).toEqual([0, 100, 200, 100])
})

test('a payment is split equally, and a withdrawal sells the same share of each coin', () => {
  const course = createCourse([100, 100], [100, 0], [40, -60], [40, 0])
  // 5 and 2.5 units: worth 100, then 120. Half of both is sold.
  expect(computeSamePayments(course, createPrices([10, 10, 10, 20], [20, 28, 28, 4]))).toEqual([
    100, 120, 60, 55,
  ])
})

test('the balance of a course that begins with money counts as a payment, and cash stays as it is', () => {
  const course = createCourse([300, 100], [330, 0], [340, 20], [200, -120])
  expect(computeSamePayments(course, CASH)).toEqual([300, 300, 320, 200])
  expect(computeSamePayments(course, createPrices([1, 2, 2, 2]))).toEqual([300, 600, 620, 500])
})

test('taking out more than the coins are worth leaves a debt, which the next payment repays', () => {
  const course = createCourse([100, 100], [150, 0], [30, -120], [130, 100])
  expect(computeSamePayments(course, createPrices([10, 5, 5, 5]))).toEqual([100, 50, -70, 30])
})

test('a missing price is the one before, and without one before the first payment nothing can be said', () => {
  const course = createCourse([0, 0], [100, 100], [100, 0], [100, 0])
  expect(computeSamePayments(course, createPrices([null, 10, null, 12]))).toEqual([0, 100, 100, 120])
  expect(computeSamePayments(course, createPrices([null, null, 10, 12]))).toBeNull()
  expect(computeSamePayments(course, createPrices([10, 10, 10, 10], [null, null, null, null]))).toBeNull()
})

test('at prices that never change, coins are worth as much as cash', () => {
  const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 9 }),
      fc.array(fc.double({ min: 0.001, max: 1e5, noNaN: true }), { minLength: 1, maxLength: 5 }),
      (payments, prices) => {
        const course = createCourse(...payments.map((paid): [number, number] => [paid / 100, paid / 100]))
        const steady = createPrices(...prices.map((price) => course.map(() => price)))
        const coins = computeSamePayments(course, steady)
        const cash = computeSamePayments(course, CASH)
        expect(coins).toEqual(cash?.map((usd) => expect.closeTo(usd, 1)))
      },
    ),
  )
})
