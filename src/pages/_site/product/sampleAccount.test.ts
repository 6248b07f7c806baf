import { expect, test } from 'vitest'
import { computeSampleAccount } from './sampleAccount.ts'

const backtest = {
  startingCash: 1000,
  firstDay: '2021-12-30',
  lastDay: '2022-01-02',
  holdOutFrom: '2022-01-01',
  equity: [900, 800, 1200, 600],
}

test('it pays in at the close before the first out-of-sample day, and leaves the money there', () => {
  const account = computeSampleAccount([
    { name: 'One', paidInUsd: 400, backtest },
    { name: 'Two', paidInUsd: 600, backtest: { ...backtest, equity: [1, 1, 1, 1] } },
  ])
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
  expect(computeSampleAccount([{ name: 'One', paidInUsd: 100, backtest: later }]).values).toEqual([50, 25])
})
