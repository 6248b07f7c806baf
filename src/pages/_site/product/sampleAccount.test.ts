import { expect, test } from 'vitest'
import { computeSampleAccount, drawSampleAccount } from './sampleAccount.ts'

const backtest = {
  startingCash: 1000,
  firstDay: '2021-12-30',
  lastDay: '2022-01-02',
  holdOutFrom: '2022-01-01',
  equity: [900, 800, 1200, 600],
}

const holdings = [
  { name: 'One', paidInUsd: 400, backtest },
  { name: 'Two', paidInUsd: 600, backtest: { ...backtest, equity: [1, 1, 1, 1] } },
]

test('it pays in at the close before the first out-of-sample day, and leaves the money there', () => {
  const account = computeSampleAccount(holdings, 0)
  expect(account.values).toEqual([1200, 900])
  expect(account.valueUsd).toBe(900)
  expect(account.positions).toEqual([
    { name: 'One', paidInUsd: 400, valueUsd: 300 },
    { name: 'Two', paidInUsd: 600, valueUsd: 600 },
  ])
  expect(account.worstFall).toBe(-0.25)
})

test('a test that begins with the out-of-sample period counts from its starting cash', () => {
  const later = { ...backtest, firstDay: '2022-01-01', equity: [500, 250] }
  expect(computeSampleAccount([{ name: 'One', paidInUsd: 100, backtest: later }], 0).values).toEqual([50, 25])
})

test('cash is part of the value and of what was paid in', () => {
  expect(computeSampleAccount(holdings, 200)).toMatchObject({
    values: [1400, 1100],
    paidInUsd: 1200,
    valueUsd: 1100,
    cashUsd: 200,
  })
})

test('the chart shows at most the last 365 days', () => {
  const { days, width } = drawSampleAccount({
    values: Array.from({ length: 400 }, (_, day) => 1000 + day),
    lastDay: '2026-01-31',
  })
  expect(width).toBe(364)
  expect(days[0]).toEqual({ day: '2025-02-01', balance: 1035, paidIn: 0 })
  expect(days.at(-1)).toEqual({ day: '2026-01-31', balance: 1399, paidIn: 0 })
})
