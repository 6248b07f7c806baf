import * as z from 'zod/mini'
import { isoTime, message, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const ORDER_KINDS = ['allocate', 'redeem'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]
const ORDER_STATUSES = ['pending', 'settled', 'cancelled'] as const

/** How many orders of a kind an investor may have pending at a time. The database holds to it too. */
export const MAX_PENDING_ORDERS = 20

/** What somebody has in a strategy. Amounts in USD; shares: 0.12 is 12 %. */
const row = {
  _id: z.string(),
  /** The strategy's slug. */
  strategy: z.string(),
  name: z.string(),
  units: z.number(),
  /** What was paid for the units that are held. */
  cost: z.number(),
  /** Units times the latest unit price, rounded down to the cent. */
  value: z.number(),
  /** Likewise at the last valuation, with what waits to be invested: what is confirmed where all is redeemed and withdrawn. */
  valued: z.number(),
  /** Value less cost. */
  profit: z.number(),
  /** Waits to be invested. */
  pendingIn: z.number(),
  /** Waits to be redeemed, at the latest unit price. */
  pendingOut: z.number(),
  /** USD for one unit, and of when. */
  unitPrice: z.number(),
  at: isoTime,
  /** Profit of what was redeemed already, negative for a loss; and what was taken as fees. Null beyond 500 movements. */
  realised: z.number(),
  fees: z.nullable(z.number()),
  /** All that was ever put in, and all that was taken out, what went as fees aside. Null beyond 500 movements. */
  putIn: z.nullable(z.number()),
  takenOut: z.nullable(z.number()),
  /** The UTC days on which the first units came and the last ones went: null where none came yet, and where some are held. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** The unit price above which a fee on profit is taken, if the settings have one; null before the first unit. */
  highWater: z.nullable(z.number()),
  /** How the strategy did while the investor was in it, whatever came and went: null before a day has passed. */
  twr: z.nullable(z.number()),
  /** What the investor’s own money earned in the whole time, by when it came and went: null before a day has passed. */
  moneyWeighted: z.nullable(z.number()),
  /** The same a year: null under a year. */
  xirr: z.nullable(z.number()),
}

export const position = z.object(row)
export type Position = z.output<typeof position>

export const unitOrder = z.object({
  _id: z.string(),
  ref: z.string(),
  kind: z.enum(ORDER_KINDS),
  strategy: z.string(),
  name: z.string(),
  status: z.enum(ORDER_STATUSES),
  /** As asked, in USD; null for all that there is. */
  amount: z.nullable(z.number()),
  createdAt: isoTime,
  /** When it is priced, or was. */
  pricedAt: isoTime,
  /** Until it is priced. */
  cancellable: z.boolean(),
  /** Once it is settled: units, USD for one, what that came to, and what redeeming them won or lost. */
  settled: z.nullable(
    z.object({
      at: isoTime,
      units: z.number(),
      unitPrice: z.number(),
      amount: z.number(),
      profit: z.nullable(z.number()),
    }),
  ),
  /** Where the proceeds are to go on to, until they went or could not; with an account’s number masked. */
  thenWithdraw: z.nullable(z.string()),
  /** The reference of the withdrawal that was filed with them. */
  withdrawal: z.nullable(z.string()),
  /** They were to go on, and could not: they are available in the account. */
  stayed: z.boolean(),
})
export type UnitOrder = z.output<typeof unitOrder>

const dayValue = z.object({
  day: z.string(),
  unitPrice: z.number(),
  units: z.number(),
  value: z.number(),
  /** What was put in until then, less what was taken out: the value less this is what was gained or lost in all. */
  putIn: z.number(),
})
export type PositionDay = z.output<typeof dayValue>

export const positionDetail = z.object({
  ...row,
  /** The latest 20, newest first; all of them: `GET /allocations/orders`. */
  orders: z.array(unitOrder),
  /** At each day's close on which units were held, oldest first: of the last 365 days at most, none beyond 500 movements. */
  history: z.array(dayValue),
})
export type PositionDetail = z.output<typeof positionDetail>

export const listAllocations = endpoint({
  method: 'GET',
  path: '/allocations',
  scope: 'signed-in',
  summary:
    'One position for each strategy that something is in, was in, or waits to be. At most one for each strategy',
  status: 200,
  answer: z.array(position),
})

export const listOrders = endpoint({
  method: 'GET',
  path: '/allocations/orders',
  scope: 'signed-in',
  summary: 'Allocations and redemptions, newest first; of one strategy where `strategy` names it',
  status: 200,
  query: z.object({ ...page, strategy: z.optional(z.string().check(z.regex(/^[a-z0-9-]{0,60}$/))) }),
  answer: z.array(unitOrder),
})

export const getPosition = endpoint({
  method: 'GET',
  path: '/allocations/:id',
  scope: 'signed-in',
  summary:
    'One position, with its orders and its value at each day’s close. `:id` is the position’s `_id`, or that of one of its orders',
  status: 200,
  answer: positionDetail,
  refusals: ['not_found'],
})

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/allocations/:id/cancel',
  scope: 'signed-in',
  summary:
    'Take back an allocation or a redemption that is not priced yet. `:id` is the order’s `_id`; a position’s takes back all that is pending in it',
  status: 200,
  answer: message,
  idempotent: true,
  refusals: ['already_decided'],
})
