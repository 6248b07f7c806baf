import { describe, expect, test } from 'vitest'
import { toNetworkAddress } from './networkAddress.ts'

describe('the network that an address counts for', () => {
  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('is the /64 of %s', (address, network) => {
    expect(toNetworkAddress(address)).toBe(network)
  })

  test('is another one for the /64 beside it', () => {
    expect(toNetworkAddress('2001:db8:1:3::1')).not.toBe(toNetworkAddress('2001:db8:1:2::1'))
  })

  test.each(['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7', '::ffff:cb00:7107'])(
    'is the whole IPv4 address for %s',
    (address) => {
      expect(toNetworkAddress(address)).toBe('203.0.113.7')
    },
  )

  test.each(['local', '', '1::2::3', '1:2:3', '12345::', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::'])(
    'is what was said where “%s” is no address',
    (address) => {
      expect(toNetworkAddress(address)).toBe(address)
    },
  )
})
