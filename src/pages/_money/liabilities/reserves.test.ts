import { expect, test } from 'vitest'
import { describeReserve, formatCoins, formatVenueHolding } from './reserves.ts'

const of = (difference: string, stopsPayouts = false) =>
  describeReserve({ asset: 'bitcoin', difference, stopsPayouts })

test('says plainly whether the wallets held more, less or exactly what the books say', () => {
  expect(of('0.5').words).toBe('Surplus: the wallets held 0.5 BTC more than our books say.')
  expect(of('0').words).toBe('The wallets held exactly what our books say.')
  expect(of('-0.25')).toEqual({
    title: 'Bitcoin',
    words: 'Shortfall: the wallets held 0.25 BTC less than our books say.',
    isShort: true,
  })
})

test('a shortfall that stops payouts says so', () => {
  expect(of('-3', true).words).toContain('No payout is sent until this is settled.')
})

test('a negative quantity has a real minus sign', () => {
  expect(formatCoins('usdt', '-12.5')).toBe('−12.5 USDT')
})

test('says what was moved to an exchange, and whether it is simulated', () => {
  const moved = { venue: 'kraken', asset: 'bitcoin', quantity: '1.5', isSimulated: true }
  expect(formatVenueHolding(moved)).toBe('Kraken: 1.5 BTC (simulated)')
  expect(formatVenueHolding({ ...moved, asset: 'usd', quantity: '-20', isSimulated: false })).toBe(
    'Kraken: −20 USD',
  )
})
