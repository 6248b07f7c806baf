import { expect, test } from 'vitest'
import { findAddressProblem } from '../../../src/contract/money/addresses.ts'
import { NETWORKS } from '../../../src/contract/money/coins.ts'
import { RECEIVING_ADDRESSES } from './sampleKeys.ts'

test('no real wallet would send to a development address, on any network', () => {
  for (const address of Object.values(RECEIVING_ADDRESSES)) {
    for (const network of NETWORKS) expect(findAddressProblem(network, address)).not.toBeNull()
  }
})

test('each network has an address of its own', () => {
  expect(new Set(Object.values(RECEIVING_ADDRESSES)).size).toBe(NETWORKS.length)
})

test('each address is refused for its network or checksum, not for its form', () => {
  expect(findAddressProblem('btc', RECEIVING_ADDRESSES.btc)).toMatch(/test network/)
  for (const network of ['eth', 'usdt-trc20', 'usdt-bsc', 'usdt-erc20', 'usdc-erc20'] as const) {
    expect(findAddressProblem(network, RECEIVING_ADDRESSES[network])).toMatch(/checksum/)
  }
})
