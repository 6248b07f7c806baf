import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { marketCoin, trendingCoin } from '../../../src/contract/investing/market.ts'
import { COINS, MARKET_IDS } from '../../../src/contract/money/coins.ts'
import { SAMPLE_COINS, SAMPLE_TRENDING } from './sample.ts'

test('the sample holds fifty coins in the order of their rank, each once', () => {
  expect(z.array(marketCoin).safeParse(SAMPLE_COINS).error).toBeUndefined()
  expect(SAMPLE_COINS.map((coin) => coin.market_cap_rank)).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
  expect(new Set(SAMPLE_COINS.map((coin) => coin.id)).size).toBe(50)
  expect(new Set(SAMPLE_COINS.map((coin) => coin.symbol)).size).toBe(50)
})

test('no price is above its all-time high, and every high lies in the past', () => {
  for (const coin of SAMPLE_COINS) {
    expect(coin.current_price).toBeGreaterThan(0)
    expect(coin.ath).toBeGreaterThanOrEqual(coin.current_price)
    expect(Date.parse(coin.ath_date ?? '')).toBeLessThan(Date.UTC(2025, 5, 1))
  }
})

test('every coin that can be deposited has a price', () => {
  const ids = SAMPLE_COINS.map((coin) => coin.id)
  for (const coin of COINS) expect(ids).toContain(MARKET_IDS[coin])
})

test('trending coins come from the list, the greatest change first', () => {
  expect(z.array(trendingCoin).safeParse(SAMPLE_TRENDING).error).toBeUndefined()
  expect(SAMPLE_TRENDING.length).toBeGreaterThanOrEqual(5)
  const changes = SAMPLE_TRENDING.map((coin) => coin.data.price_change_percentage_24h.usd)
  expect(changes).toEqual(changes.toSorted((a, b) => b - a))
  for (const coin of SAMPLE_TRENDING) {
    expect(SAMPLE_COINS.find((listed) => listed.id === coin.id)?.current_price).toBe(coin.data.price)
  }
})

test('every picture that the sample names is among the site’s files', () => {
  const paths = [
    ...SAMPLE_COINS.map((coin) => coin.image),
    ...SAMPLE_TRENDING.flatMap((coin) => [coin.large, coin.data.sparkline]),
  ]
  for (const path of paths) {
    expect([path, existsSync(new URL(`../../../public${path}`, import.meta.url))]).toEqual([path, true])
  }
})
