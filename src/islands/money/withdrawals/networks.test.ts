import { describe, expect, it } from 'vitest'
import { getCoinOfNetwork, type Network } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { listOfferedCoins, listOfferedNetworks, parseNetwork, pickOnly } from '../deposits/wallets.ts'

function wallet(network: Network): Wallet {
  const coin = getCoinOfNetwork(network)
  return { _id: network, walletName: coin, type: coin, network, address: 'a', image: '/a', simulated: true }
}

describe('the networks of a withdrawal', () => {
  it('are the usual ones of the coin while no wallet is known', () => {
    expect(listOfferedCoins([])).toEqual(['bitcoin', 'ethereum', 'usdt', 'usdc'])
    expect(listOfferedNetworks('bitcoin', [])).toEqual(['btc'])
    expect(listOfferedNetworks('ethereum', [])).toEqual(['eth'])
    expect(listOfferedNetworks('usdt', [])).toEqual(['usdt-trc20', 'usdt-bsc', 'usdt-erc20'])
  })

  it('are those of the wallets once they are known', () => {
    const wallets = [wallet('usdt-bsc'), wallet('btc'), wallet('usdt-bsc')]
    expect(listOfferedCoins(wallets)).toEqual(['bitcoin', 'usdt'])
    expect(listOfferedNetworks('usdt', wallets)).toEqual(['usdt-bsc'])
    expect(listOfferedNetworks('ethereum', wallets)).toEqual([])
  })

  it('are none before a coin is chosen', () => {
    expect(listOfferedNetworks(null, [])).toEqual([])
  })

  it('are chosen already where there is one', () => {
    expect(pickOnly(['btc'])).toBe('btc')
    expect(pickOnly(['usdt-bsc', 'usdt-trc20'])).toBeUndefined()
    expect(parseNetwork('btc')).toBe('btc')
    expect(parseNetwork('')).toBeNull()
  })
})
