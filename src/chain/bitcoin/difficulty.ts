import { ChainError } from '../chainError.ts'
import type { BitcoinNetwork } from './network.ts'

/** Blocks between two changes of difficulty. */
export const PERIOD_BLOCKS = 2016

/** The target of difficulty 1. */
const DIFFICULTY_1_TARGET = 0xffffn << 208n

/** Expands the compact form in headers (a base-256 exponent and 23 bits). Refuses zero, negative and overflowing targets, as nodes do. */
export function decodeTarget(bits: number): bigint {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x007fffff)
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
  if ((bits & 0x00800000) !== 0 || target === 0n || target >= 1n << 256n) {
    throw new ChainError('bad_target', 'The difficulty target of the block header is impossible.')
  }
  return target
}

/** The compact form of a target. It rounds down to 23 bits or fewer. */
export function encodeTarget(target: bigint): number {
  let exponent = Math.ceil(target.toString(16).length / 2)
  let mantissa = exponent <= 3 ? target << BigInt(8 * (3 - exponent)) : target >> BigInt(8 * (exponent - 3))
  // The highest bit of the mantissa is the sign.
  if ((mantissa & 0x00800000n) !== 0n) {
    mantissa >>= 8n
    exponent += 1
  }
  return exponent * 2 ** 24 + Number(mantissa)
}

/** The hashes that a block with this target takes on average. */
export function computeWork(target: bigint): bigint {
  return (1n << 256n) / (target + 1n)
}

/** Whether a block of this target is at least so many times harder to find than one of difficulty 1. */
export function hasDifficulty(target: bigint, difficulty: bigint): boolean {
  return target * difficulty <= DIFFICULTY_1_TARGET
}

/**
 * The difficulty of the first block of a period: the last one, corrected by how long its 2,016 blocks took against two weeks, at most
 * fourfold. As in Bitcoin Core, the time counts from the first to the last block, one interval short.
 */
export function computeNextBits(network: BitcoinNetwork, lastBits: number, periodSeconds: number): number {
  const seconds = Math.min(Math.max(periodSeconds, PERIOD_SECONDS / 4), PERIOD_SECONDS * 4)
  return clampToLimit(network, (decodeTarget(lastBits) * BigInt(seconds)) / BigInt(PERIOD_SECONDS))
}

/** Whether difficulty may change like this at this height, when the times of the period are unknown. */
export function isPossibleChange(
  network: BitcoinNetwork,
  height: number,
  lastBits: number,
  bits: number,
): boolean {
  if (!network.isRetargeting || height % PERIOD_BLOCKS !== 0) return bits === lastBits
  const hardest = decodeTarget(computeNextBits(network, lastBits, 0))
  const easiest = decodeTarget(computeNextBits(network, lastBits, Number.MAX_SAFE_INTEGER))
  const target = decodeTarget(bits)
  return target >= hardest && target <= easiest
}

const PERIOD_SECONDS = 14 * 24 * 60 * 60

function clampToLimit(network: BitcoinNetwork, target: bigint): number {
  return target > decodeTarget(network.limitBits) ? network.limitBits : encodeTarget(target)
}
