import { DAY_MS } from '../../src/time.ts'
import { type Amount, amountNear, rounded } from './decimal.ts'
import type { Pair } from './pairs.ts'

/** One price level of the book that others made: everybody but the accounts of this venue. */
export interface Level {
  readonly price: Amount
  readonly size: Amount
}

/** Best price first. */
export interface Book {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

/** How long a book stays the same. */
export const STEP_MS = 2_000

/** Swings of the price: how long each takes, and how far it goes, as a share. */
const SWINGS = [
  [60_000, 0.0006],
  [600_000, 0.0018],
  [2 * 3_600_000, 0.006],
  [DAY_MS, 0.02],
  [20 * DAY_MS, 0.11],
  [200 * DAY_MS, 0.3],
] as const

const LEVELS = 120
/** USD on one level, on average. */
const LEVEL_USD = 9_000
/** The distance between levels, as a share of the price. */
const LEVEL_GAP = 0.0002

/**
 * A market that follows from a seed and the time alone: the same moment always has the same price and book, in
 * whatever order they are asked for. Nothing of it is real.
 */
export class Prices {
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The middle between the best bid and the best ask. */
  mid(pair: Pair, at: number): number {
    const swings = SWINGS.map(([period, size], octave) => {
      const position = at / period
      const before = Math.floor(position)
      const [here, next] = [before, before + 1].map(
        (turn) => this.#draw(pair.symbol, 'swing', octave, turn) * 2 - 1,
      )
      const part = position - before
      const eased = part * part * (3 - 2 * part)
      return ((here ?? 0) * (1 - eased) + (next ?? 0) * eased) * size
    })
    return pair.usualPrice * Math.exp(swings.reduce((sum, swing) => sum + swing, 0))
  }

  /** The best prices, without the rest of the book. */
  touch(pair: Pair, at: number): { readonly bid: Amount; readonly ask: Amount } {
    const { mid, half } = this.#spread(pair, Math.floor(at / STEP_MS))
    const price = (value: number) => amountNear(value, pair.priceDecimals)
    return { bid: price(mid - half), ask: price(mid + half) }
  }

  book(pair: Pair, at: number): Book {
    const step = Math.floor(at / STEP_MS)
    const { mid, half } = this.#spread(pair, step)
    const side = (sign: 1 | -1): Level[] => {
      const levels: Level[] = []
      for (let index = 0; index < LEVELS; index++) {
        const price = amountNear(mid + sign * (half + index * mid * LEVEL_GAP), pair.priceDecimals)
        if (price <= 0n || price === levels.at(-1)?.price) continue
        const share = 0.1 + 1.8 * this.#draw(pair.symbol, sign > 0 ? 'ask' : 'bid', step, index)
        const size = rounded(amountNear((LEVEL_USD * share) / mid, pair.sizeDecimals), pair.sizeDecimals)
        if (size > 0n) levels.push({ price, size })
      }
      return levels
    }
    return { bids: side(-1), asks: side(1) }
  }

  #spread(pair: Pair, step: number): { mid: number; half: number } {
    const mid = this.mid(pair, step * STEP_MS)
    const share = 0.00005 + 0.0001 * this.#draw(pair.symbol, 'spread', step, 0)
    return { mid, half: Math.max(10 ** -pair.priceDecimals, mid * share) }
  }

  #draw(...name: readonly (string | number)[]): number {
    return drawOf(this.#seed, ...name)
  }
}

/** A number in [0, 1) that follows from a seed and a name: FNV-1a, then the finisher of MurmurHash3. */
export function drawOf(seed: number, ...name: readonly (string | number)[]): number {
  let hash = 2166136261 ^ seed
  const text = name.join('/')
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
