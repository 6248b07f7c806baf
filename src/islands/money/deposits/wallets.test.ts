import { describe, expect, it } from 'vitest'
import { getCoinOfNetwork, type Network } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { listCoinWallets, listWalletCoins, parseCoin, pickOnly } from './wallets.ts'

function wallet(network: Network, address: string): Wallet {
  const coin = getCoinOfNetwork(network)
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
    expect(listWalletCoins([wallet('usdt-bsc', 'a'), wallet('btc', 'b'), wallet('usdt-trc20', 'c')])).toEqual(
      ['bitcoin', 'usdt'],
    )
    expect(listWalletCoins([])).toEqual([])
  })

  it('are one for each network, and the newest where there are several', () => {
    const wallets = [wallet('usdt-bsc', 'new'), wallet('usdt-trc20', 'tron'), wallet('usdt-bsc', 'old')]
    expect(listCoinWallets('usdt', wallets).map(({ address }) => address)).toEqual(['tron', 'new'])
    expect(listCoinWallets('ethereum', wallets)).toEqual([])
    expect(listCoinWallets(null, wallets)).toEqual([])
  })

  it('are chosen already where there is one way only', () => {
    expect(pickOnly([wallet('btc', 'b')])?.address).toBe('b')
    expect(pickOnly([wallet('usdt-bsc', 'a'), wallet('usdt-trc20', 'c')])).toBeUndefined()
    expect(pickOnly([])).toBeUndefined()
  })

  it('know coins only by their own names', () => {
    expect(parseCoin('usdt')).toBe('usdt')
    expect(parseCoin('')).toBeNull()
    expect(parseCoin('dogecoin')).toBeNull()
  })
})
