import { parseIpGroups } from '../../src/contract/ipNetworks.ts'

/**
 * The network address that rate limits count. An IPv6 subscriber has a /64 (RFC 6177), 2^64 addresses, so each /64 counts
 * as one; IPv4 counts as it is, also when written as IPv6 (RFC 4291, 2.5.5.2). Anything else is returned unchanged.
 */
export function toNetworkAddress(address: string): string {
  const groups = parseIpGroups(address)
  if (groups === null) return address
  const [a, b, c, d, e, f, g = 0, h = 0] = groups
  if (!a && !b && !c && !d && !e && f === 0xffff) return [g >> 8, g & 255, h >> 8, h & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
