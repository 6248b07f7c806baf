import { expect, test } from 'vitest'
import { loadRealMarket, readRealLastDay } from '../../data/realPrices.ts'
import { runBacktest } from './backtest.ts'
import { buildPlayback } from './playback.ts'
import { buildRealOptions, REAL_TESTS } from './realTests.ts'

/** One asset, and several. */
const tests = REAL_TESTS.filter(({ slug }) => ['slow-trend-bitcoin', 'strongest-two-basket'].includes(slug))

test.each(tests)('$slug: a playback is the run of the test’s last period, with its fills', (real) => {
  const market = loadRealMarket()
  const options = buildRealOptions(real.on, readRealLastDay())
  const { equity, held, fills, firstDay, startingCash } = buildPlayback(market, real.definition, options)
  const { forward: part } = runBacktest(market, real.definition, { ...options, light: true })
  expect([firstDay, equity.length]).toEqual([part?.firstDay, part?.figures.days])
  expect(equity.at(-1)).toBeCloseTo(part?.figures.finalEquity ?? 0, 2)
  expect(held).toHaveLength(equity.length)
  // The account can be followed: cash plus what it holds, at the prices of its fills, never exceeds what was there.
  let cash = startingCash
  const holdings = new Map<number, number>()
  for (const { day, asset, side, quantity, price, fee } of fills) {
    expect(day).toBeGreaterThanOrEqual(0)
    expect(day).toBeLessThan(equity.length)
    cash += (side === 'buy' ? -1 : 1) * quantity * price - fee
    holdings.set(asset, (holdings.get(asset) ?? 0) + (side === 'buy' ? quantity : -quantity))
    expect(cash).toBeGreaterThan(-0.05)
    expect(holdings.get(asset)).toBeGreaterThan(-1e-3)
  }
})
