import { describe, expect, it } from 'vitest'
import {
  findTokenStandard,
  formatAssetQuantity,
  formatCoinOnNetwork,
  formatDecimal,
  getCoinLabel,
  getCoinSymbol,
} from './coinWords.ts'

describe('a coin in words', () => {
  it('names its network where it has several', () => {
    expect(formatCoinOnNetwork('usdt', 'usdt-trc20')).toBe('USDT on TRON (TRC-20)')
    expect(formatCoinOnNetwork('usdt', 'usdt-erc20')).toBe('USDT on Ethereum (ERC-20)')
  })

  it('says a name once where coin and network share it', () => {
    expect(formatCoinOnNetwork('bitcoin', 'btc')).toBe('Bitcoin')
  })

  it('knows the token standard of a network, which coins of their own network lack', () => {
    expect(findTokenStandard('usdt-trc20')).toBe('TRC-20')
    expect(findTokenStandard('btc')).toBeUndefined()
  })

  it('leaves words it does not know as they are', () => {
    expect(getCoinLabel('dogecoin')).toBe('dogecoin')
    expect(getCoinSymbol('toString')).toBe('toString')
  })

  it('groups the digits of an exact decimal, and keeps every one of them', () => {
    expect(formatAssetQuantity('-1500.25', 'usd')).toBe('−1,500.25 USD')
    expect(formatAssetQuantity('0.00000001', 'bitcoin')).toBe('0.00000001 BTC')
    expect(['0', '-100', '999999', '1234567.123456'].map(formatDecimal)).toEqual([
      '0',
      '−100',
      '999,999',
      '1,234,567.123456',
    ])
  })

  it('has the symbol of a quantity', () => {
    expect(getCoinSymbol('ethereum')).toBe('ETH')
  })
})
