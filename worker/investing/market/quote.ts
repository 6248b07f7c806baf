import type { Coin } from '../../../src/contract/money/coins.ts'
import type { Quote } from '../../../src/contract/money/wallets.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { computeQuotedQuantity } from '../../ledger/custody.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { creditPriceIn, readExchangePrices, readRates } from '../../lib/market/rates.ts'

/** Old prices give no quote. A deposit works without one, because the credit is what arrives in USD. */
const NO_PRICE = 'There is no market price of the last hour to tell it by. Please try again in a few minutes.'
/** A failed list is requested again after five minutes. */
const RETRY_AFTER_SECONDS = 300

/** The quantity of a coin that is credited as an amount in cents now, rounded up at the eighth decimal. */
export async function getQuote(
  call: CheckedCall<unknown, { type: Coin; amount: number }> & ActorCall,
): Promise<Answer<Quote>> {
  const { type, amount } = call.query
  const [market, exchange] = await readTogether(call.db, readRates(call.db), readExchangePrices(call.env))
  const price = creditPriceIn(market, exchange, type, call)
  if (price === null) refuse('unavailable', { msg: NO_PRICE, retryAfterSeconds: RETRY_AFTER_SECONDS })
  const quantity = computeQuotedQuantity(type, amount, price.rate)
  return ok({ quantity: Number(quantity), rate: Number(price.rate), at: toIso(price.atMs) })
}
