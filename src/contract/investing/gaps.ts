import * as z from 'zod/mini'
import { pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** In basis points. They add up to the difference within 0.01 basis points. */
export const gapParts = z.object({
  /** The market moved between the price of the test and the moment when the order was sent. */
  price: z.number(),
  /** The fill was worse, or better, than the price when the order was sent, beyond the test's slippage. */
  slippage: z.number(),
  /** Fees beyond those that the test assumes. */
  fees: z.number(),
  /** The pool held more cash, or other amounts of an asset, than the test. */
  cashDrag: z.number(),
  /** The strategy was suspended, or its orders were sent late. */
  missed: z.number(),
  /** Whole cents, units and micro-USD. Never more than these can make. */
  rounding: z.number(),
  unexplained: z.number(),
})

export const gapDay = {
  /** The day. */
  _id: z.string(),
  /** The return of a unit from close to close, and of the test, in basis points. */
  live: z.number(),
  test: z.number(),
  /** Live minus test. */
  difference: z.number(),
  parts: gapParts,
}

const strategyGap = z.object(gapDay)
export type StrategyGap = z.output<typeof strategyGap>

export const listGaps = endpoint('GET', '/strategies/:slug/gaps', 'public', {
  summary:
    'Each closed day of a strategy, newest first: the live return, the return of its test, and the causes of their difference, in basis points',
  query: pageQuery,
  answer: z.array(strategyGap),
  refusals: ['not_found'],
})
