import type { Coin } from '../../src/contract/coins.ts'
import type { Quote } from '../../src/contract/wallets.ts'
import { quantityAt } from '../ledger/custody.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { refuse } from '../lib/errors.ts'
import { iso } from '../lib/paging.ts'
import { rateOf } from './rate.ts'
import { marketSnapshot } from './snapshot.ts'

/** How much of a coin an amount in cents is now, at most eight decimals, cut and never rounded up. */
export async function getQuote(
  call: CheckedCall<unknown, { type: Coin; amount: number }> & ActorCall,
): Promise<Answer<Quote>> {
  const { type, amount } = call.query
  const market = await marketSnapshot(call)
  const rate = rateOf(market, type)
  if (rate === null) refuse('unavailable')
  const quantity = cutToEight(quantityAt(type, amount, rate))
  return ok({ quantity: Number(quantity), rate: Number(rate), at: iso(market.coins.atMs) })
}

function cutToEight(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.slice(0, 8)}`
}
