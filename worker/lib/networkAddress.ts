/**
 * The network address that rate limits count. An IPv6 subscriber has a /64 (RFC 6177), 2^64 addresses, so each /64 counts
 * as one; IPv4 counts as it is, also when written as IPv6 (RFC 4291, 2.5.5.2). Anything else is returned unchanged.
 */
export function toNetworkAddress(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groups = parseIpv6Groups(address)
  if (groups === null) return address
  const [a, b, c, d, e, f, g = 0, h = 0] = groups
  if (!a && !b && !c && !d && !e && f === 0xffff) return [g >> 8, g & 255, h >> 8, h & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address; null for anything else. */
function parseIpv6Groups(address: string): number[] | null {
  const withoutZone = address.replace(/%.*$/, '')
  if (!/^[0-9a-f:]+$/i.test(withoutZone)) return null
  const halves = withoutZone.split('::')
  if (halves.length > 2) return null
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const left = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? left !== 0 : left < 1) return null
  const groups = [...head, ...Array<string>(left).fill('0'), ...(tail ?? [])]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}
