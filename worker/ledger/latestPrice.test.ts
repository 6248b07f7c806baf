import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { getLatestPrice, type PriceColumns } from './latestPrice.ts'

const day = 20 * DAY_MS
const row: PriceColumns = {
  startedAt: 5,
  displayAt: null,
  displayPrice: null,
  valuedDay: day,
  valuedKind: 'open',
  valuedPrice: 101,
}

test('the newer one of the displayed price and the last valuation counts', () => {
  expect(getLatestPrice(row)).toEqual({ unitPrice: 101, atMs: day })
  const closed = { ...row, valuedKind: 'close' } as const
  expect(getLatestPrice(closed)).toEqual({ unitPrice: 101, atMs: day + DAY_MS })
  expect(getLatestPrice({ ...closed, displayAt: day + DAY_MS, displayPrice: 103 }).unitPrice).toBe(103)
  expect(getLatestPrice({ ...closed, displayAt: day + DAY_MS - 1, displayPrice: 103 }).unitPrice).toBe(101)
})

test('before the first valuation the price is that of the start', () => {
  expect(getLatestPrice({ ...row, valuedDay: null, valuedPrice: null })).toEqual({
    unitPrice: 100_000_000,
    atMs: 5,
  })
})
