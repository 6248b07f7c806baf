import { expect, test } from 'vitest'
import { describePriceAge, describePriceSource } from './priceWords.ts'

const NOW = Date.parse('2026-01-31T09:30:00.000Z')
const MINUTE_MS = 60_000

test('prices say whose they are, and made-up ones that they are', () => {
  expect(describePriceSource('CoinGecko')).toBe('Prices by CoinGecko')
  expect(describePriceSource('sample')).toBe('Sample prices')
})

test('an age is told in the unit that fits, never as one from the future', () => {
  const ages = [-5, 0, 1, 4.9, 119, 120, 47 * 60, 48 * 60].map((minutes) =>
    describePriceAge('CoinGecko', NOW - minutes * MINUTE_MS, NOW),
  )
  expect(ages).toEqual([
    'just now',
    'just now',
    '1 minute old',
    '4 minutes old',
    '119 minutes old',
    '2 hours old',
    '47 hours old',
    '2 days old',
  ])
  expect(describePriceAge('sample', NOW, NOW)).toBe('')
})
