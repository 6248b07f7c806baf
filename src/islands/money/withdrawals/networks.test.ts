import { describe, expect, it } from 'vitest'
import { coinOfNetwork, type Network } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { coinsFor, networkNamed, networksFor, onlyOf } from '../deposits/wallets.ts'

function wallet(network: Network): Wallet {
  const coin = coinOfNetwork(network)
  return { _id: network, walletName: coin, type: coin, network, address: 'a', image: '/a', simulated: true }
}

describe('the networks of a withdrawal', () => {
  it('are the usual ones of the coin while no wallet is known', () => {
    expect(coinsFor([])).toEqual(['bitcoin', 'ethereum', 'usdt', 'usdc'])
    expect(networksFor('bitcoin', [])).toEqual(['btc'])
    expect(networksFor('ethereum', [])).toEqual(['eth'])
    expect(networksFor('usdt', [])).toEqual(['usdt-trc20', 'usdt-bsc', 'usdt-erc20'])
  })

  it('are those of the wallets once they are known', () => {
    const wallets = [wallet('usdt-bsc'), wallet('btc'), wallet('usdt-bsc')]
    expect(coinsFor(wallets)).toEqual(['bitcoin', 'usdt'])
    expect(networksFor('usdt', wallets)).toEqual(['usdt-bsc'])
    expect(networksFor('ethereum', wallets)).toEqual([])
  })

  it('are none before a coin is chosen', () => {
    expect(networksFor(null, [])).toEqual([])
  })

  it('are chosen already where there is one', () => {
    expect(onlyOf(['btc'])).toBe('btc')
    expect(onlyOf(['usdt-bsc', 'usdt-trc20'])).toBeUndefined()
    expect(networkNamed('btc')).toBe('btc')
    expect(networkNamed('')).toBeNull()
  })
})
