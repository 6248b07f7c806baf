import { describe, expect, it } from 'vitest'
import { coinLabel, coinOnNetwork, coinSymbol } from './coinWords.ts'

describe('a coin in words', () => {
  it('names its network where it has several', () => {
    expect(coinOnNetwork('usdt', 'usdt-trc20')).toBe('USDT on TRON (TRC-20)')
    expect(coinOnNetwork('usdt', 'usdt-erc20')).toBe('USDT on Ethereum (ERC-20)')
  })

  it('says a name once where coin and network share it', () => {
    expect(coinOnNetwork('bitcoin', 'btc')).toBe('Bitcoin')
  })

  it('leaves words it does not know as they are', () => {
    expect(coinLabel('dogecoin')).toBe('dogecoin')
    expect(coinSymbol('toString')).toBe('toString')
  })

  it('has the symbol of a quantity', () => {
    expect(coinSymbol('ethereum')).toBe('ETH')
  })
})
