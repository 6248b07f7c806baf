import * as z from 'zod/mini'
import { isoTime, pageQuery, tradedMarket } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { gapDay, gapParts } from '../investing/gaps.ts'
import { STRATEGY_STATUSES } from '../investing/strategies.ts'
import { toldBody } from './cases.ts'

const colleague = z.object({ _id: z.string(), name: z.string() })

/** Investors and orders of one strategy are counted up to this number. */
export const MOST_COUNTED_IN_STRATEGY = 10_000

export const operatorStrategy = z.object({
  /** The slug. */
  _id: z.string(),
  name: z.string(),
  status: z.enum(STRATEGY_STATUSES),
  /** Since when it has this status, by whom (null: by one of its own rules), and the reason if it is not active. */
  since: isoTime,
  by: z.nullable(colleague),
  /** The rule that suspended it. After the drawdown rule it cannot be resumed. */
  rule: z.nullable(z.enum(['drawdown', 'band'])),
  reason: z.nullable(z.string()),
  /** The internal note of that event. */
  note: z.nullable(z.string()),
  /** The pending proposal to resume it or to stop it for good. */
  proposed: z.nullable(
    z.object({ _id: z.string(), action: z.enum(['resume', 'stop']), by: colleague, at: isoTime }),
  ),
  market: tradedMarket,
  startedAt: isoTime,
  /** SHA-256 of the frozen definition. */
  hash: z.string(),
  /** At the latest valuation, in USD: the price of a unit, and the net value of the pool. Null before the first. */
  unitPrice: z.nullable(z.number()),
  netValue: z.nullable(z.number()),
  units: z.number(),
  /** The pool's current cash, in USD. */
  cash: z.number(),
  /** How many investors own units. */
  investors: z.number(),
  /** The last day whose step was completed, and when that happened; null before the first. */
  lastStep: z.nullable(z.string()),
  lastStepAt: z.nullable(isoTime),
  /** Whether a day’s step is late or incomplete. */
  behind: z.boolean(),
  /** Since when closed bars of its market are missing, and the finding; null if none is. */
  lacking: z.nullable(z.object({ since: isoTime, finding: z.nullable(z.string()) })),
  /** Pending orders of investors; a full redemption counts without an amount. */
  ordersWaiting: z.number(),
  ordersIn: z.object({ count: z.number(), amount: z.number() }),
  ordersOut: z.object({ count: z.number(), amount: z.number() }),
  /**
   * A unit's fall below its highest close since the start or the last resumption, and the limit. Shares: 0.12 is 12 %.
   */
  drawdown: z.nullable(z.number()),
  maximumDrawdown: z.nullable(z.number()),
  /** The median and the 98 % range of the current unit price by the backtest, counted from the same day. */
  band: z.nullable(z.object({ lower: z.number(), median: z.number(), upper: z.number() })),
  /** Fees charged to its investors in the last 365 days, in USD. */
  fees: z.number(),
})
export type OperatorStrategy = z.output<typeof operatorStrategy>

export const listOperatorStrategies = endpoint('GET', '/operator/strategies', 'operator:strategies.read', {
  summary:
    'Every strategy with its pool: net value, current day, pending orders and the state of its risk limits',
  answer: z.array(operatorStrategy),
})

/** The committed facts of a valuation (`strategyRecord.ts`). */
const operatorRecordEntry = z.object({
  _id: z.string(),
  day: z.string(),
  kind: z.enum(['open', 'close']),
  hash: z.string(),
  commitment: z.string(),
  salt: z.string(),
  committed: z.record(z.string(), z.unknown()),
})
export type OperatorRecordEntry = z.output<typeof operatorRecordEntry>

export const listOperatorRecord = endpoint(
  'GET',
  '/operator/strategies/:id/record',
  'operator:strategies.read',
  {
    summary:
      'The committed facts of a strategy’s valuations, newest first, with the salts: units, net value, prices, cash, holdings, flows and orders',
    query: pageQuery,
    answer: z.array(operatorRecordEntry),
    refusals: ['not_found'],
  },
)

const operatorGap = z.object({
  ...gapDay,
  /**
   * The pool's own result minus its test's result on the same money: in basis points of `base`, the money that worked, in
   * USD. Null if the pool was empty, or its earlier holdings are not known.
   */
  pool: z.nullable(z.object({ base: z.number(), difference: z.number(), parts: gapParts })),
})
export type OperatorGap = z.output<typeof operatorGap>

export const listOperatorGaps = endpoint('GET', '/operator/strategies/:id/gaps', 'operator:strategies.read', {
  summary:
    'Each closed day of a strategy, newest first: the live return minus the return of its test, with the causes, for a unit and for the pool itself, in basis points',
  query: pageQuery,
  answer: z.array(operatorGap),
  refusals: ['not_found'],
})

export const suspendStrategy = endpoint(
  'POST',
  '/operator/strategies/:id/suspend',
  'operator:strategies.suspend',
  {
    summary:
      'Suspend a strategy immediately. It takes no new money, and it sells its holdings at its next open. Its investors are notified of the reason. Redemptions continue',
    body: toldBody,
    answer: operatorStrategy,
    idempotent: true,
    refusals: ['already_decided'],
    audit: ['strategy.suspended'],
  },
)
