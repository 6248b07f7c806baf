import { type Coin, MARKET_IDS } from '../../../src/contract/money/coins.ts'
import type { Env } from '../../lib/env.ts'
import { type Market, SAMPLE_SOURCE } from './snapshot.ts'

/** The oldest price that anybody is told an amount by. */
const QUOTE_MAX_AGE_MS = 60 * 60_000

/**
 * USD for one coin, as a plain decimal; null when there is none to go by: the snapshot does not name the coin, is older
 * than `maxAgeMs`, was told another price since that is not plausible yet, or is the sample although a provider is named.
 */
export function rateOf(
  { coins }: Market,
  coin: Coin,
  { env, nowMs }: { env: Env; nowMs: number },
  maxAgeMs = QUOTE_MAX_AGE_MS,
): string | null {
  const id = MARKET_IDS[coin]
  const price = coins.rows.find((row) => row.id === id)?.current_price
  if (price === undefined || !(price > 0) || !Number.isFinite(price)) return null
  if (nowMs - coins.atMs > maxAgeMs || Object.hasOwn(coins.held, id)) return null
  if (coins.source === SAMPLE_SOURCE && (env.MARKET_BASE_URL ?? '') !== '') return null
  return decimalOf(price)
}

/** A positive number without exponent: `1e-7` as `0.0000001`. Cut below the eighteenth decimal. */
export function decimalOf(value: number): string {
  const shortest = String(value)
  if (!shortest.includes('e')) return shortest
  return value >= 1 ? BigInt(value).toString() : value.toFixed(18).replace(/\.?0+$/, '')
}
