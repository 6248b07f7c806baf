import { describe, expect, it } from 'vitest'
import { coinOfNetwork, type Network } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { coinNamed, coinsOf, onlyOf, walletsOf } from './wallets.ts'

function wallet(network: Network, address: string): Wallet {
  const coin = coinOfNetwork(network)
  return {
    _id: address,
    walletName: coin,
    type: coin,
    network,
    address,
    image: `/${address}`,
    simulated: true,
  }
}

describe('the wallets a deposit can be paid to', () => {
  it('offer only coins that one of them takes, in the usual order', () => {
    expect(coinsOf([wallet('usdt-bsc', 'a'), wallet('btc', 'b'), wallet('usdt-trc20', 'c')])).toEqual([
      'bitcoin',
      'usdt',
    ])
    expect(coinsOf([])).toEqual([])
  })

  it('are one for each network, and the newest where there are several', () => {
    const wallets = [wallet('usdt-bsc', 'new'), wallet('usdt-trc20', 'tron'), wallet('usdt-bsc', 'old')]
    expect(walletsOf('usdt', wallets).map(({ address }) => address)).toEqual(['tron', 'new'])
    expect(walletsOf('ethereum', wallets)).toEqual([])
    expect(walletsOf(null, wallets)).toEqual([])
  })

  it('are chosen already where there is one way only', () => {
    expect(onlyOf([wallet('btc', 'b')])?.address).toBe('b')
    expect(onlyOf([wallet('usdt-bsc', 'a'), wallet('usdt-trc20', 'c')])).toBeUndefined()
    expect(onlyOf([])).toBeUndefined()
  })

  it('know coins only by their own names', () => {
    expect(coinNamed('usdt')).toBe('usdt')
    expect(coinNamed('')).toBeNull()
    expect(coinNamed('dogecoin')).toBeNull()
  })
})
