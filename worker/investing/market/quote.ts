import { type Coin, MARKET_IDS } from '../../../src/contract/money/coins.ts'
import type { Quote } from '../../../src/contract/money/wallets.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { quantityAt } from '../../ledger/custody.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { type Market, marketSnapshot, SAMPLE_SOURCE } from './snapshot.ts'

/** Old prices give no quote. A deposit works without one, because the credit is what arrives in USD. */
const NO_PRICE = 'There is no market price of the last hour to tell it by. Please try again in a few minutes.'
/** A failed list is requested again after five minutes. */
const RETRY_AFTER_SECONDS = 300

/** The quantity of a coin that an amount in cents buys now, cut to eight decimals. */
export async function getQuote(
  call: CheckedCall<unknown, { type: Coin; amount: number }> & ActorCall,
): Promise<Answer<Quote>> {
  const { type, amount } = call.query
  const market = await marketSnapshot(call)
  const rate = rateOf(market, type, call)
  if (rate === null) refuse('unavailable', { msg: NO_PRICE, retryAfterSeconds: RETRY_AFTER_SECONDS })
  const quantity = cutToEight(quantityAt(type, amount, rate))
  return ok({ quantity: Number(quantity), rate: Number(rate), at: iso(market.coins.atMs) })
}

function cutToEight(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.slice(0, 8)}`
}

/** The oldest price that a quote may use. */
const QUOTE_MAX_AGE_MS = 60 * 60_000

/**
 * USD for one coin as a plain decimal. Null if the snapshot lacks the coin, is older than `maxAgeMs`, has an unconfirmed jump of
 * it, or is the sample although a provider is configured.
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
