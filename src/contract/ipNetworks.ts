/** The eight groups of an IPv6 address. An IPv4 address counts as the IPv6 address that maps it (RFC 4291, 2.5.5.2). Null for other text. */
export function parseIpGroups(address: string): number[] | null {
  const v4 = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(address)
  if (v4 !== null) {
    const [a = 0, b = 0, c = 0, d = 0] = v4.slice(1).map(Number)
    return Math.max(a, b, c, d) > 255 ? null : [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d]
  }
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

/** A range of addresses: the first `bits` of 128 are the same. */
interface IpNetwork {
  readonly groups: readonly number[]
  readonly bits: number
}

/** Parses a range in CIDR notation, or one address. Null for other text. */
export function parseNetwork(text: string): IpNetwork | null {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const groups = parseIpGroups(address)
  if (groups === null) return null
  const width = address.includes('.') && !address.includes(':') ? 32 : 128
  const length = prefix === undefined ? width : Number(prefix)
  return length > width ? null : { groups, bits: 128 - width + length }
}

/** Whether the address is in one of the ranges. No ranges mean every network. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const groups = parseIpGroups(address)
  return networks.length === 0 || networks.some((text) => groups !== null && isWithin(groups, text))
}

function isWithin(groups: readonly number[], text: string): boolean {
  const network = parseNetwork(text)
  if (network === null) return false
  return groups.every((group, index) => {
    const rest = Math.min(16, Math.max(0, network.bits - 16 * index))
    return group >> (16 - rest) === (network.groups[index] ?? 0) >> (16 - rest)
  })
}
