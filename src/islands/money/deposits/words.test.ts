import { describe, expect, it } from 'vitest'
import { describeAcceptedCoin, formatPlainQuantity, formatQuantity, formatRate } from './words.ts'

it('a wallet says which coin it takes, on which network, and that all else is lost', () => {
  expect(describeAcceptedCoin({ walletName: 'usdt', network: 'usdt-trc20' })).toBe(
    'Send only USDT on the TRON (TRC-20) network to this address. Anything else is lost.',
  )
  expect(describeAcceptedCoin({ walletName: 'bitcoin', network: 'btc' })).toBe(
    'Send only Bitcoin on the Bitcoin network to this address. Anything else is lost.',
  )
})

const at = '2026-01-31T09:30:00.000Z'

describe('a quote in words', () => {
  it('shows all eight decimals a coin may have, and no more than it has', () => {
    expect(formatQuantity('bitcoin', { quantity: 0.00000123, rate: 63_789, at })).toBe('0.00000123 BTC')
    expect(formatQuantity('usdt', { quantity: 1500, rate: 1, at })).toBe('1,500 USDT')
  })

  it('is copied as a plain number that a wallet takes', () => {
    expect(formatPlainQuantity({ quantity: 9_999_999.99, rate: 1, at })).toBe('9999999.99')
    expect(formatPlainQuantity({ quantity: 0.00000123, rate: 63_789, at })).toBe('0.00000123')
  })

  it('names what one coin costs', () => {
    expect(formatRate('ethereum', { quantity: 1, rate: 3184.11, at })).toBe('$3,184.11 for 1 ETH')
  })
})
