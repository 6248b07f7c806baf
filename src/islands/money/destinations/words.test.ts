import { expect, it } from 'vitest'
import type { SavedAddress } from '../../../contract/money/destinations.ts'
import { findSavedAddress, formatShortAddress, onNetwork } from './words.ts'

const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const saved: SavedAddress[] = [
  { _id: '1', label: 'Vault', type: 'bitcoin', network: 'btc', address: BITCOIN, createdAt: '' },
  { _id: '2', label: 'Exchange', type: 'usdt', network: 'usdt-bsc', address: EVM, createdAt: '' },
  { _id: '3', label: 'Daily', type: 'bitcoin', network: 'btc', address: '1A1z', createdAt: '' },
]

it('only the addresses of a network are offered for it, by name', () => {
  expect(onNetwork(saved, 'btc').map(({ label }) => label)).toEqual(['Daily', 'Vault'])
  expect(onNetwork(saved, 'usdt-erc20')).toEqual([])
})

it('an address is told by its beginning and its end', () => {
  expect(formatShortAddress(BITCOIN)).toBe('bc1qw508…v8f3t4')
  expect(formatShortAddress('1A1z')).toBe('1A1z')
})

it('an address is known again however it is written, on its own network only', () => {
  expect(findSavedAddress(saved, { network: 'btc', address: BITCOIN.toUpperCase() })?._id).toBe('1')
  expect(findSavedAddress(saved, { network: 'usdt-bsc', address: EVM.toLowerCase() })?._id).toBe('2')
  expect(findSavedAddress(saved, { network: 'eth', address: EVM })).toBeUndefined()
  expect(findSavedAddress(saved, { network: 'btc', address: '1a1z' })).toBeUndefined()
})
