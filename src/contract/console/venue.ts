import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines, requiredText } from '../fields.ts'
import { REASON } from './cases.ts'

/**
 * `trade`: a strategy trades with money from now on. `transfer`: money was moved to the exchange, or back. `resume`: a stop ends.
 * `cover`: the company pays a pool's debt.
 */
export const VENUE_ACTIONS = ['trade', 'transfer', 'resume', 'cover'] as const
export type VenueAction = (typeof VENUE_ACTIONS)[number]

/** The change in a proposal about the exchange. */
export const proposedVenueAct = z.object({
  action: z.enum(VENUE_ACTIONS),
  venue: z.string(),
  strategy: z.optional(z.object({ _id: z.string(), name: z.string() })),
  scope: z.optional(z.string()),
  asset: z.optional(z.string()),
  quantity: z.optional(z.string()),
})

const colleague = z.object({ _id: z.string(), name: z.string() })

/** What has to be true before a strategy may trade with money. */
export const TRADING_CONDITIONS = [
  'tested',
  'fees',
  'band',
  'paper',
  'inBand',
  'active',
  'empty',
  'account',
] as const
export type TradingCondition = (typeof TRADING_CONDITIONS)[number]

const condition = z.object({
  name: z.enum(TRADING_CONDITIONS),
  met: z.boolean(),
  /** The requirement and the actual state. */
  words: z.string(),
})

/** Quantities and prices are decimal text, because they have eight decimals and more. */
export const operatorVenue = z.object({
  /** The exchange; null while strategies trade on paper only. */
  venue: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  /** The last comparison with our books; null before the first. */
  check: z.nullable(
    z.object({
      at: isoTime,
      state: z.enum(['equal', 'different', 'unreachable']),
      since: isoTime,
      differences: z.array(z.object({ asset: z.string(), expected: z.string(), actual: z.string() })),
      /** What else is wrong with orders, and why orders wait. */
      found: z.array(z.string()),
      waits: z.array(z.string()),
    }),
  ),
  /** The taker fee that the exchange charges the account, as a share, and when it said so; null before it was asked. */
  fee: z.nullable(z.object({ share: z.number(), askedAt: isoTime })),
  /** The balances that our books expect at the exchange: transfers and booked trades. */
  balances: z.array(z.object({ asset: z.string(), quantity: z.string() })),
  stops: z.array(z.object({ scope: z.string(), since: isoTime, by: colleague, reason: z.string() })),
  strategies: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      /** Since when it trades with money; null: on paper. */
      since: z.nullable(isoTime),
      conditions: z.array(condition),
      /** USD that the pool owes and cannot pay; null without such a debt. */
      owes: z.nullable(z.number()),
    }),
  ),
  /** The newest orders. */
  orders: z.array(
    z.object({
      _id: z.string(),
      strategy: z.string(),
      asset: z.string(),
      side: z.enum(['buy', 'sell']),
      quantity: z.string(),
      limitPrice: z.string(),
      sentAt: isoTime,
      state: z.enum(['sending', 'open', 'closed', 'refused', 'absent']),
      filled: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
  transfers: z.array(
    z.object({ _id: z.string(), asset: z.string(), quantity: z.string(), at: isoTime, by: colleague }),
  ),
})
export type OperatorVenue = z.output<typeof operatorVenue>

export const showVenue = endpoint('GET', '/operator/venue', 'operator:strategies.read', {
  summary:
    'The exchange where strategies trade with money: its last comparison with the books, stops, orders, transfers, and what each strategy lacks before it may trade there',
  answer: operatorVenue,
})

export const stopTrading = endpoint('POST', '/operator/venue/stop', 'operator:strategies.suspend', {
  summary: 'Stop sending orders to an exchange, or to all, at once. Resuming takes two operators',
  body: z.object({
    scope: requiredText('Please name the exchange, or all', 20),
    reason: requiredLines(REASON, 500),
  }),
  answer: operatorVenue,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['trading.stopped'],
})
