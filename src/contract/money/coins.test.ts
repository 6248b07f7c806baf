import { expect, test } from 'vitest'
import { COINS, getCoinOfNetwork, listNetworks, NETWORKS } from './coins.ts'

test('each coin offers its networks in order', () => {
  expect(listNetworks('bitcoin')).toEqual(['btc'])
  expect(listNetworks('ethereum')).toEqual(['eth'])
  expect(listNetworks('usdt')).toEqual(['usdt-trc20', 'usdt-bsc', 'usdt-erc20'])
  expect(listNetworks('usdc')).toEqual(['usdc-erc20'])
})

test('every network belongs to exactly one coin', () => {
  expect(COINS.flatMap(listNetworks)).toEqual([...NETWORKS])
  for (const network of NETWORKS) expect(listNetworks(getCoinOfNetwork(network))).toContain(network)
})
