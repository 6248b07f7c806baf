import * as z from 'zod/mini'
import {
  filter,
  isoTime,
  message,
  page,
  period,
  periodInOrder,
  refuseValue,
  tradedMarket,
} from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { amountField, codeField, parseCents, passkeyAnswerField, requiredText } from '../fields.ts'
import { bankFields, cryptoWithdrawal, requireBankDetails } from '../money/withdrawals.ts'

export const ORDER_KINDS = ['allocate', 'redeem'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]
export const ORDER_STATUSES = ['pending', 'settled', 'cancelled'] as const

/** The most pending orders of each kind for one investor. The database enforces it too. */
export const MAX_PENDING_ORDERS = 20

const LEAST_STOP_PERCENT = 1
const MOST_STOP_PERCENT = 95

/** The stop of a position: it sells all of it once a unit is worth this or less. */
const positionStop = z.object({
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

/** An investor's position in a strategy. Amounts in USD; shares: 0.12 is 12 %. */
const row = {
  _id: z.string(),
  /** The strategy's slug. */
  strategy: z.string(),
  name: z.string(),
  /** Where the strategy trades. */
  market: tradedMarket,
  units: z.number(),
  /** The cost of the units owned. */
  cost: z.number(),
  /** Units times the latest unit price, rounded down to cents. */
  value: z.number(),
  /** The value at the last valuation plus pending purchases. A full redemption with withdrawal confirms this amount. */
  valued: z.number(),
  /** Value less cost. */
  profit: z.number(),
  /** The amount of pending purchases. */
  pendingIn: z.number(),
  /** The amount of pending redemptions, at the latest unit price. */
  pendingOut: z.number(),
  /** USD per unit, and its time. */
  unitPrice: z.number(),
  at: isoTime,
  /** Profit of past redemptions, negative for a loss; and fees charged. Null beyond 500 movements. */
  realised: z.number(),
  fees: z.nullable(z.number()),
  /** All money ever paid in and taken out, without fees. Null beyond 500 movements. */
  putIn: z.nullable(z.number()),
  takenOut: z.nullable(z.number()),
  /** The UTC days of the first and the last units: `from` is null before the first units, `to` while units are owned. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** The unit price above which a performance fee is charged, if there is one; null before the first unit. */
  highWater: z.nullable(z.number()),
  /** The strategy's time-weighted return while the investor was in it; null for less than a day. */
  twr: z.nullable(z.number()),
  /** The money-weighted return of the whole time; null for less than a day. */
  moneyWeighted: z.nullable(z.number()),
  /** The same, annualised; null for less than a year. */
  xirr: z.nullable(z.number()),
  /** The active stop. */
  stop: z.nullable(positionStop),
}

export const position = z.object(row)
export type Position = z.output<typeof position>

export const unitOrder = z.object({
  _id: z.string(),
  ref: z.string(),
  kind: z.enum(ORDER_KINDS),
  strategy: z.string(),
  name: z.string(),
  market: tradedMarket,
  status: z.enum(ORDER_STATUSES),
  /** The requested amount in USD; null for everything. */
  amount: z.nullable(z.number()),
  createdAt: isoTime,
  pricedAt: isoTime,
  cancellable: z.boolean(),
  /** Units, unit price in USD, amount and realised profit, once settled. */
  settled: z.nullable(
    z.object({
      at: isoTime,
      units: z.number(),
      unitPrice: z.number(),
      amount: z.number(),
      profit: z.nullable(z.number()),
      /** The part of the profit that we kept, because it was made with money that was reversed. */
      forfeited: z.number(),
    }),
  ),
  /** The destination of the proceeds, with a masked account number, while the withdrawal is pending. */
  thenWithdraw: z.nullable(z.string()),
  /** The reference of the withdrawal filed with the proceeds. */
  withdrawal: z.nullable(z.string()),
  /** Whether the withdrawal failed, so that the proceeds stayed available in the account. */
  stayed: z.boolean(),
  /** The `_id` of the plan that filed it; null if its owner did. */
  plan: z.nullable(z.string()),
  /** Whether the stop of the position filed it. */
  isOfStop: z.boolean(),
})
export type UnitOrder = z.output<typeof unitOrder>

const dayValue = z.object({
  day: z.string(),
  unitPrice: z.number(),
  units: z.number(),
  value: z.number(),
  /** Money paid in until then less money taken out. The value less this is the total gain or loss. */
  putIn: z.number(),
})
export type PositionDay = z.output<typeof dayValue>

export const positionDetail = z.object({
  ...row,
  /** The latest 20, newest first. `GET /allocations/orders` returns all. */
  orders: z.array(unitOrder),
  /** The closes of days with units owned, oldest first: at most the last 365 days, none beyond 500 movements. */
  history: z.array(dayValue),
})
export type PositionDetail = z.output<typeof positionDetail>

export const listAllocations = endpoint('GET', '/allocations', 'signed-in-or-key', {
  summary: 'Your positions: one for each strategy with a current, past or pending investment',
  answer: z.array(position),
})

export const listOrders = endpoint('GET', '/allocations/orders', 'signed-in-or-key', {
  summary: 'Your orders to invest and to redeem, newest first. `strategy` selects one strategy',
  query: z
    .object({
      ...page,
      strategy: z.optional(z.string().check(z.regex(/^[a-z0-9-]{0,60}$/))),
      kind: filter('kind', ORDER_KINDS),
      status: filter('status', ORDER_STATUSES),
      ...period,
    })
    .check(periodInOrder),
  answer: z.array(unitOrder),
})

export const getPosition = endpoint('GET', '/allocations/:id', 'signed-in-or-key', {
  summary:
    'One position, with its orders and its value at each day’s close. `:id` is the `_id` of the position or of one of its orders',
  answer: positionDetail,
  refusals: ['not_found'],
})

export const cancelOrder = endpoint('POST', '/allocations/:id/cancel', 'signed-in', {
  summary:
    'Cancel an order to invest or to redeem that is not priced yet. `:id` is an order’s `_id`. A position’s `_id` cancels all its pending orders',
  answer: message,
  idempotent: true,
  refusals: ['already_decided'],
})

export const orderFiled = z.object({
  msg: z.string(),
  ref: z.string(),
  _id: z.string(),
  /** When it is priced; it can be cancelled until then. */
  pricedAt: isoTime,
})
export type OrderFiled = z.output<typeof orderFiled>

export const allocation = z.object({
  strategy: requiredText('Please choose a strategy', 60),
  amount: amountField('Please input the amount to invest in USD'),
})

export const allocate = endpoint('POST', '/allocations', 'signed-in', {
  summary:
    'Invest in a strategy, named by its slug. The order is priced at the next valuation, 00:00 UTC, and can be cancelled until then',
  status: 201,
  accepts: 'either',
  body: allocation,
  answer: orderFiled,
  idempotent: true,
  requires: ['unfrozen'],
  limit: { name: 'allocations', per: 'account', max: 600, windowSeconds: 3600 },
  refusals: [
    'simulated_market',
    'paper_trading',
    'strategy_suspended',
    'too_many_open',
    'debt_outstanding',
    'insufficient_funds',
  ],
})

// Destructured by hand: zod's `omit` would add code to every form's script.
const { amount: _paid, ...walletFields } = cryptoWithdrawal.shape
const { amount: _sent, ...accountFields } = bankFields
const toWallet = z.object(walletFields)
const toBank = z.object(accountFields).check(requireBankDetails())
type ToWallet = z.output<typeof toWallet>
type ToBank = z.output<typeof toBank>

/** Where the proceeds of a redemption go: a withdrawal's fields without the amount, and its second factor. */
export type ThenWithdraw = Pick<ToWallet, 'code' | 'passkey'> &
  (
    | { readonly way: 'wallet'; readonly fields: Omit<ToWallet, 'code' | 'passkey'> }
    | { readonly way: 'bank'; readonly fields: Omit<ToBank, 'code' | 'passkey'> }
  )

/** Its fields decide between wallet and bank. Errors name the field, as in `thenWithdraw.address`. */
const thenWithdraw = z.pipe(
  z.optional(z.nullable(z.looseObject({}, { error: 'Please say where to withdraw to' }))),
  z.transform((value, context): ThenWithdraw | undefined => {
    if (value === undefined || value === null) return undefined
    const isBank = value.withdrawalMethod === 'bank' || 'bankName' in value || 'accountNumber' in value
    const parsed = (isBank ? toBank : toWallet).safeParse(value)
    if (parsed.success) {
      const { code, passkey, ...fields } = parsed.data
      return { way: isBank ? 'bank' : 'wallet', fields, code, passkey } as ThenWithdraw
    }
    const places = Object.keys(isBank ? accountFields : walletFields)
    const findPlace = ([field]: readonly PropertyKey[]) => places.indexOf(String(field))
    for (const { path, message } of parsed.error.issues.toSorted(
      (first, second) => findPlace(first.path) - findPlace(second.path),
    ))
      context.issues.push({ code: 'custom', message, path, input: value })
    return z.NEVER
  }),
)

const AMOUNT_WRONG = 'Please give an amount in USD above zero, with at most two decimals, or "all"'

/** Cents, or everything. */
const amount = z.pipe(
  z.union([z.string(), z.number()], { error: 'Please input the amount to redeem in USD, or "all"' }),
  z.transform((value, context) =>
    value === 'all' ? ('all' as const) : parseCents(value, context, AMOUNT_WRONG),
  ),
)

const redemption = z.object({
  amount,
  thenWithdraw,
  code: codeField(),
  passkey: passkeyAnswerField(),
})

export const redeem = endpoint('POST', '/allocations/:id/redeem', 'signed-in', {
  summary:
    'Redeem an amount in USD, or "all". It is priced and can be cancelled like an order to invest. `:id` is the `_id` of the position or of one of its orders. `thenWithdraw` withdraws the proceeds. It takes the fields of POST /withdrawals or POST /withdrawals/online-service without the amount. Send the withdrawal’s second factor with this call',
  status: 201,
  body: redemption,
  answer: orderFiled,
  idempotent: true,
  requires: ['unfrozen'],
  limit: { name: 'allocations', per: 'account', max: 600, windowSeconds: 3600 },
  refusals: [
    'kyc_required',
    'simulated_market',
    'paper_trading',
    'too_many_open',
    'destination_locked',
    'insufficient_funds',
    'step_up_required',
    'invalid_code',
    'invalid_passkey',
  ],
})

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

const STOP_LIMIT = { name: 'stops', per: 'account', max: 300, windowSeconds: 3600 } as const

export const setStop = endpoint('PUT', '/allocations/:id/stop', 'signed-in', {
  summary:
    'Set or change the stop of a position, which has at most one. Once the daily valuation at 00:00 UTC shows a unit price at or below the stop, an order to redeem all of it is filed. It is priced at the next valuation, which may be lower, and can be cancelled until then. `:id` is the `_id` of the position or of one of its orders',
  body: newStop,
  answer: z.object({ msg: z.string(), stop: positionStop }),
  requires: ['unfrozen'],
  limit: STOP_LIMIT,
  refusals: ['not_found', 'simulated_market', 'paper_trading', 'insufficient_funds'],
})

export const endStop = endpoint('DELETE', '/allocations/:id/stop', 'signed-in', {
  summary: 'End the stop of a position. An order that it filed stays',
  answer: message,
  limit: STOP_LIMIT,
  refusals: ['not_found', 'already_decided'],
})
