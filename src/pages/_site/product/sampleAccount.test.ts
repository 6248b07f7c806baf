import { expect, test } from 'vitest'
import { computeSampleAccount, drawSampleAccount } from './sampleAccount.ts'

const backtest = { lastDay: '2022-01-02', equity: [900, 800, 1200, 600] }
const holdings = [
  { name: 'One', paidInUsd: 400, backtest },
  { name: 'Two', paidInUsd: 600, backtest: { ...backtest, equity: [1, 1, 1, 1] } },
]

test('it pays in at a close of the last year, and leaves the money there', () => {
  const account = computeSampleAccount(holdings, 0, 2)
  expect(account).toMatchObject({ firstDay: '2021-12-31', values: [1000, 1200, 900], valueUsd: 900 })
  expect(account.positions).toEqual([
    { name: 'One', paidInUsd: 400, valueUsd: 300 },
    { name: 'Two', paidInUsd: 600, valueUsd: 600 },
  ])
  expect(account.worstFall).toBe(-0.25)
})

test('cash is part of the value and of what was paid in', () => {
  expect(computeSampleAccount(holdings, 200, 1)).toMatchObject({
    values: [1200, 1000],
    paidInUsd: 1200,
    valueUsd: 1000,
    cashUsd: 200,
  })
})

test('the chart begins with the day before the account was opened', () => {
  const { days, width, lines } = drawSampleAccount(computeSampleAccount(holdings, 0, 2))
  expect(days).toEqual([
    { day: '2021-12-30', balance: 0, paidIn: 0 },
    { day: '2021-12-31', balance: 1000, paidIn: 1000 },
    { day: '2022-01-01', balance: 1200, paidIn: 0 },
    { day: '2022-01-02', balance: 900, paidIn: 0 },
  ])
  expect(width).toBe(3)
  expect(lines[0]).toBe(0)
})
