import { expect, test } from 'vitest'
import { COINS, coinOfNetwork, NETWORKS, networksOf } from './coins.ts'

test('each coin offers its networks in order', () => {
  expect(networksOf('bitcoin')).toEqual(['btc'])
  expect(networksOf('ethereum')).toEqual(['eth'])
  expect(networksOf('usdt')).toEqual(['usdt-trc20', 'usdt-bsc', 'usdt-erc20'])
  expect(networksOf('usdc')).toEqual(['usdc-erc20'])
})

test('every network belongs to exactly one coin', () => {
  expect(COINS.flatMap(networksOf)).toEqual([...NETWORKS])
  for (const network of NETWORKS) expect(networksOf(coinOfNetwork(network))).toContain(network)
})
