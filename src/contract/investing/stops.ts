import * as z from 'zod/mini'
import { isoTime, message, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const LEAST_STOP_PERCENT = 1
export const MOST_STOP_PERCENT = 95

/** The stop of a position: it sells all of it once a unit is worth this or less. */
export const positionStop = z.object({
  /** Below the average cost of the units owned: their cost, with the costs of buying, divided by their number. */
  percent: z.number(),
  /** USD per unit. It changes with the average cost, so with each purchase. */
  price: z.number(),
  /** When it was set or changed. The first valuation after that counts. */
  setAt: isoTime,
  /** Why it could not sell, in a sentence, and its latest try. It tries again at each valuation that reaches it. */
  refused: z.nullable(z.object({ at: isoTime, reason: z.string() })),
})
export type PositionStop = z.output<typeof positionStop>

const PERCENT_WRONG = `Please give a whole number of percent from ${LEAST_STOP_PERCENT} to ${MOST_STOP_PERCENT}`

export const newStop = z.object({
  percent: z.pipe(
    z.union([z.string(), z.number()], { error: PERCENT_WRONG }),
    z.transform((value, context) => {
      const percent = /^[1-9]\d?$/.test(String(value)) ? Number(value) : 0
      return percent >= LEAST_STOP_PERCENT && percent <= MOST_STOP_PERCENT
        ? percent
        : refuseValue(context, PERCENT_WRONG)
    }),
  ),
})

const LIMIT = { name: 'stops', per: 'account', max: 300, windowSeconds: 3600 } as const

export const setStop = endpoint('PUT', '/allocations/:id/stop', 'signed-in', {
  summary:
    'Set or change the stop of a position, which has at most one. Once the daily valuation at 00:00 UTC shows a unit price at or below the stop, an order to redeem all of it is filed. It is priced at the next valuation, which may be lower, and can be cancelled until then. `:id` is the `_id` of the position or of one of its orders',
  body: newStop,
  answer: z.object({ msg: z.string(), stop: positionStop }),
  requires: ['unfrozen'],
  limit: LIMIT,
  refusals: ['not_found', 'simulated_market', 'paper_trading', 'insufficient_funds'],
})

export const endStop = endpoint('DELETE', '/allocations/:id/stop', 'signed-in', {
  summary: 'End the stop of a position. An order that it filed stays',
  answer: message,
  limit: LIMIT,
  refusals: ['not_found', 'already_decided'],
})
