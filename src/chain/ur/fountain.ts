import { sha256 } from '@noble/hashes/sha2.js'
import { sum } from '../../contract/numbers.ts'
import { encodeBigEndian } from './bytewords.ts'

/**
 * Which fragments of a message are mixed (XOR) in a part of a multipart UR (BCR-2024-001). The first `count` parts are the fragments in
 * order; later parts are chosen by a generator that sender and receiver seed alike, so that any missing part can be made up for.
 */
export function listFragments(part: number, count: number, checksum: number): number[] {
  if (part <= count) return [part - 1]
  const random = new Xoshiro256(Uint8Array.from([...encodeBigEndian(part), ...encodeBigEndian(checksum)]))
  const degree = pickDegree(count, random)
  const rest = Array.from({ length: count }, (_, i) => i)
  const chosen = Array.from({ length: degree }, () => rest.splice(random.below(rest.length), 1)[0] ?? 0)
  return chosen.toSorted((a, b) => a - b)
}

const MASK = (1n << 64n) - 1n

/** The generator xoshiro256** of Blackman and Vigna, seeded with the SHA-256 of some bytes. */
export class Xoshiro256 {
  readonly #state: [bigint, bigint, bigint, bigint]

  constructor(seed: Uint8Array) {
    const view = new DataView(sha256(seed).buffer)
    this.#state = [view.getBigUint64(0), view.getBigUint64(8), view.getBigUint64(16), view.getBigUint64(24)]
  }

  next(): bigint {
    const s = this.#state
    const result = (rotate((s[1] * 5n) & MASK, 7n) * 9n) & MASK
    const shifted = (s[1] << 17n) & MASK
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = rotate(s[3], 45n)
    return result
  }

  /** A number from 0 to 1, without 1. */
  fraction(): number {
    return Number(this.next()) / 2 ** 64
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }
}

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK
}

/** How many fragments are mixed: n with a probability in proportion to 1/n. */
export function pickDegree(count: number, random: Xoshiro256): number {
  const { shares, aliases } = buildAliasTable(Array.from({ length: count }, (_, i) => 1 / (i + 1)))
  const [column, share] = [Math.floor(random.fraction() * count), random.fraction()]
  return (share < (shares[column] ?? 1) ? column : (aliases[column] ?? 0)) + 1
}

/** Vose's alias method, with the order of the standard: other orders choose other fragments. */
function buildAliasTable(weights: readonly number[]): { shares: number[]; aliases: number[] } {
  const count = weights.length
  const total = sum(weights)
  const scaled = weights.map((weight) => (weight * count) / total)
  const descending = Array.from({ length: count }, (_, i) => count - 1 - i)
  const small = descending.filter((i) => (scaled[i] ?? 0) < 1)
  const large = descending.filter((i) => (scaled[i] ?? 0) >= 1)
  const shares = Array<number>(count).fill(1)
  const aliases = Array<number>(count).fill(0)
  while (small.length > 0 && large.length > 0) {
    const [less = 0, more = 0] = [small.pop(), large.pop()]
    shares[less] = scaled[less] ?? 1
    aliases[less] = more
    const rest = (scaled[more] ?? 0) + ((scaled[less] ?? 0) - 1)
    scaled[more] = rest
    if (rest < 1) small.push(more)
    else large.push(more)
  }
  return { shares, aliases }
}
