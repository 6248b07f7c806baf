import * as z from 'zod/mini'
import { isoTime, message, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { amountField, centsOf, codeField, passkeyAnswerField, requiredText } from '../fields.ts'
import { bankWithdrawal, cryptoWithdrawal } from '../money/withdrawals.ts'

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

export const listAllocations = endpoint('GET', '/allocations', 'signed-in', {
  summary:
    'One position for each strategy that something is in, was in, or waits to be. At most one for each strategy',
  answer: z.array(position),
})

export const listOrders = endpoint('GET', '/allocations/orders', 'signed-in', {
  summary: 'Allocations and redemptions, newest first; of one strategy where `strategy` names it',
  query: z.object({ ...page, strategy: z.optional(z.string().check(z.regex(/^[a-z0-9-]{0,60}$/))) }),
  answer: z.array(unitOrder),
})

export const getPosition = endpoint('GET', '/allocations/:id', 'signed-in', {
  summary:
    'One position, with its orders and its value at each day’s close. `:id` is the position’s `_id`, or that of one of its orders',
  answer: positionDetail,
  refusals: ['not_found'],
})

export const cancelOrder = endpoint('POST', '/allocations/:id/cancel', 'signed-in', {
  summary:
    'Take back an allocation or a redemption that is not priced yet. `:id` is the order’s `_id`; a position’s takes back all that is pending in it',
  answer: message,
  idempotent: true,
  refusals: ['already_decided'],
})

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

export const allocate = endpoint('POST', '/allocations', 'signed-in', {
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

// By hand: what takes a field off a schema would be in every form's script.
const { amount: _paid, ...walletFields } = cryptoWithdrawal.shape
const { amount: _sent, ...bankFields } = bankWithdrawal.shape
const toWallet = z.object(walletFields)
const toBank = z.object(bankFields)
type ToWallet = z.output<typeof toWallet>
type ToBank = z.output<typeof toBank>

/** Where the proceeds of a redemption go: the fields of a withdrawal without the amount, and the proof that came among them. */
export type Onward = Pick<ToWallet, 'code' | 'passkey'> &
  (
    | { readonly way: 'wallet'; readonly fields: Omit<ToWallet, 'code' | 'passkey'> }
    | { readonly way: 'bank'; readonly fields: Omit<ToBank, 'code' | 'passkey'> }
  )

/** Which of the two it is, its own fields say; what is wrong with them is said by field, as `thenWithdraw.address`. */
const onward = z.pipe(
  z.optional(z.nullable(z.looseObject({}, { error: 'Please say where to withdraw to' }))),
  z.transform((value, context): Onward | undefined => {
    if (value === undefined || value === null) return undefined
    const isBank = value.withdrawalMethod === 'bank' || 'bankName' in value || 'accountNumber' in value
    const parsed = (isBank ? toBank : toWallet).safeParse(value)
    if (parsed.success) {
      const { code, passkey, ...fields } = parsed.data
      return { way: isBank ? 'bank' : 'wallet', fields, code, passkey } as Onward
    }
    for (const { path, message } of parsed.error.issues)
      context.issues.push({ code: 'custom', message, path, input: value })
    return z.NEVER
  }),
)

const AMOUNT_WRONG = 'Please give an amount in USD above zero, with at most two decimals, or "all"'

/** In cents, or all that there is. */
const amount = z.pipe(
  z.union([z.string(), z.number()], { error: 'Please input the amount to redeem in USD, or "all"' }),
  z.transform((value, context) =>
    value === 'all' ? ('all' as const) : centsOf(value, context, AMOUNT_WRONG),
  ),
)

const redemption = z.object({
  amount,
  thenWithdraw: onward,
  code: codeField(),
  passkey: passkeyAnswerField(),
})

export const redeem = endpoint('POST', '/allocations/:id/redeem', 'signed-in', {
  summary:
    'Redeem an amount in USD, or "all". Priced at the next valuation, 00:00 UTC, and cancellable until then. `:id` is the position’s `_id`, or that of one of its orders. `thenWithdraw` takes the fields of POST /withdrawals or of POST /withdrawals/online-service without the amount, and files that withdrawal with the proceeds; it asks for the same proof, now',
  status: 201,
  body: redemption,
  answer: orderFiled,
  idempotent: true,
  requires: ['unfrozen'],
  limit: { name: 'allocations', per: 'account', max: 600, windowSeconds: 3600 },
  refusals: [
    'kyc_required',
    'simulated_market',
    'too_many_open',
    'insufficient_funds',
    'step_up_required',
    'invalid_code',
    'invalid_passkey',
  ],
})
