import { expect, test } from 'vitest'
import { describeSigning } from '../../money/destinations/words.ts'
import {
  describeNetworkStatus,
  describeNetworkWallets,
  describeSimulatedWallet,
  describeWalletStatus,
  formatAddressEnds,
} from './words.ts'

test('a simulated wallet says so wherever it stands, and once money is real that nobody is sent to it', () => {
  const said = (active: boolean, simulated: boolean, isLive: boolean) =>
    describeWalletStatus({ active, simulated }, isLive).label
  expect(said(true, false, true)).toBe('In use')
  expect(said(true, true, false)).toBe('In use, simulated')
  expect(said(true, true, true)).toBe('Simulated: not shown')
  expect(said(false, true, true)).toBe('Retired, simulated')
  expect(said(false, false, true)).toBe('Retired')
  expect(describeSimulatedWallet(false)).toContain('Investors do not see it once the platform is live')
  expect(describeSimulatedWallet(true)).toContain('investors do not see it')
})

test('a way to pay without a wallet, or with two, is pointed out', () => {
  expect([
    describeNetworkStatus({ offered: 0 }).label,
    describeNetworkWallets({ offered: 0, leftOver: 0 }),
  ]).toEqual(['No wallet', 'Investors cannot deposit on this network.'])
  expect([
    describeNetworkStatus({ offered: 1 }).label,
    describeNetworkWallets({ offered: 1, leftOver: 0 }),
  ]).toEqual(['One wallet', null])
  expect([
    describeNetworkStatus({ offered: 2 }).label,
    describeNetworkWallets({ offered: 2, leftOver: 0 }),
  ]).toEqual(['2 wallets', 'Investors see the newest. Deposits to each of them are accepted.'])
  expect(describeNetworkWallets({ offered: 0, leftOver: 2 })).toBe(
    'Investors cannot deposit on this network. 2 from before the platform was live: retire them.',
  )
  expect(describeNetworkWallets({ offered: 1, leftOver: 1 })).toBe(
    '1 from before the platform was live: retire it.',
  )
})

test('how to sign goes by the network and the kind of address', () => {
  expect(describeSigning('btc', 'bc1q')).toContain('BIP 322')
  expect(describeSigning('btc', '1A1z')).not.toContain('BIP 322')
  expect(describeSigning('usdt-bsc', '0x')).toContain('EIP-191')
  expect(describeSigning('usdt-trc20', 'T')).toContain('TIP-191')
  expect(formatAddressEnds('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toBe('bc1qw508…7kv8f3t4')
})
