import * as z from 'zod/mini'
import { amountField } from '../amountField.ts'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../text.ts'

/** What filing an order answers. */
export const orderFiled = z.object({
  msg: z.string(),
  ref: z.string(),
  _id: z.string(),
  /** When it is priced; until then it can be cancelled. */
  pricedAt: isoTime,
})
export type OrderFiled = z.output<typeof orderFiled>

export const allocation = z.object({
  strategy: requiredText('Please choose a strategy', 60),
  amount: amountField('Please input the amount to allocate in USD'),
})

export const allocate = endpoint({
  method: 'POST',
  path: '/allocations',
  scope: 'signed-in',
  summary:
    'Allocate to a strategy, by its slug. Priced at the next valuation, 00:00 UTC, and cancellable until then; the amount is set aside at once',
  status: 201,
  accepts: 'either',
  body: allocation,
  answer: orderFiled,
  idempotent: true,
  requires: ['unfrozen'],
  limit: { name: 'allocations', per: 'account', max: 600, windowSeconds: 3600 },
  refusals: [
    'simulated_market',
    'strategy_suspended',
    'too_many_open',
    'debt_outstanding',
    'insufficient_funds',
  ],
})
