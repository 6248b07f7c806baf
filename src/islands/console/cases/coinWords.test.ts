import { describe, expect, it } from 'vitest'
import { formatCoinOnNetwork, getCoinLabel, getCoinSymbol } from './coinWords.ts'

describe('a coin in words', () => {
  it('names its network where it has several', () => {
    expect(formatCoinOnNetwork('usdt', 'usdt-trc20')).toBe('USDT on TRON (TRC-20)')
    expect(formatCoinOnNetwork('usdt', 'usdt-erc20')).toBe('USDT on Ethereum (ERC-20)')
  })

  it('says a name once where coin and network share it', () => {
    expect(formatCoinOnNetwork('bitcoin', 'btc')).toBe('Bitcoin')
  })

  it('leaves words it does not know as they are', () => {
    expect(getCoinLabel('dogecoin')).toBe('dogecoin')
    expect(getCoinSymbol('toString')).toBe('toString')
  })

  it('has the symbol of a quantity', () => {
    expect(getCoinSymbol('ethereum')).toBe('ETH')
  })
})
