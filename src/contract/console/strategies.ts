import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { STRATEGY_STATUSES } from '../investing/strategies.ts'
import { reasonBody } from './cases.ts'

const colleague = z.object({ _id: z.string(), name: z.string() })

/** Investors and orders of one strategy are counted up to here. */
export const MOST_COUNTED_IN_STRATEGY = 10_000

export const operatorStrategy = z.object({
  /** The slug. */
  _id: z.string(),
  name: z.string(),
  status: z.enum(STRATEGY_STATUSES),
  /** Since when it is so, by whom, and why where it is not active. Nobody where a rule of its own said so. */
  since: isoTime,
  by: z.nullable(colleague),
  /** Which of its rules suspended it. What its drawdown rule ended buys nothing again, so it is not resumed. */
  rule: z.nullable(z.enum(['drawdown', 'band'])),
  reason: z.nullable(z.string()),
  /** A proposal to resume it or to stop it for good, that waits for a second operator. */
  proposed: z.nullable(
    z.object({ _id: z.string(), action: z.enum(['resume', 'stop']), by: colleague, at: isoTime }),
  ),
  /** Where it trades, and whether with made-up prices. */
  market: z.string(),
  simulated: z.boolean(),
  startedAt: isoTime,
  /** SHA-256 of the frozen definition. */
  hash: z.string(),
  /** USD: for one unit at the latest valuation, and all that its pool holds at it. Null before the first. */
  unitPrice: z.nullable(z.number()),
  netValue: z.nullable(z.number()),
  units: z.number(),
  /** What of it is cash now, in USD. */
  cash: z.number(),
  /** How many hold units. */
  investors: z.number(),
  /** The day whose step was done last, and when that was; null before the first. */
  lastStep: z.nullable(z.string()),
  lastStepAt: z.nullable(isoTime),
  /** Whether a day’s step that has begun, or should have, is not done. */
  behind: z.boolean(),
  /** Since when bars of its market that have closed are missing, and what was found of it; null while none is. */
  lacking: z.nullable(z.object({ since: isoTime, finding: z.nullable(z.string()) })),
  /** Orders of investors that wait for a valuation; an order of all counts, with no amount. */
  ordersWaiting: z.number(),
  ordersIn: z.object({ count: z.number(), amount: z.number() }),
  ordersOut: z.object({ count: z.number(), amount: z.number() }),
  /** How far a unit is below its highest close since it was started or resumed, and how far it may fall. Shares: 0.12 is 12 %. */
  drawdown: z.nullable(z.number()),
  maximumDrawdown: z.nullable(z.number()),
  /** Between what a unit’s price should be now by the test, 98 of 100 times, and in the middle, counted from the same day on. */
  band: z.nullable(z.object({ lower: z.number(), median: z.number(), upper: z.number() })),
  /** What its investors were charged in the last 365 days, in USD. */
  fees: z.number(),
})
export type OperatorStrategy = z.output<typeof operatorStrategy>

export const listOperatorStrategies = endpoint('GET', '/operator/strategies', 'operator:strategies.read', {
  summary:
    'Every strategy with its pool: what it is worth, which day it is at, what waits, and where it stands by its own rules',
  answer: z.array(operatorStrategy),
})

/** What the commitment of a valuation is to, as `strategyRecord.ts` says: without cash, holdings, flows and orders for older ones. */
const operatorRecordEntry = z.object({
  _id: z.string(),
  day: z.string(),
  kind: z.enum(['open', 'close']),
  hash: z.string(),
  commitment: z.nullable(z.string()),
  salt: z.nullable(z.string()),
  committed: z.record(z.string(), z.unknown()),
})
export type OperatorRecordEntry = z.output<typeof operatorRecordEntry>

export const listOperatorRecord = endpoint(
  'GET',
  '/operator/strategies/:id/record',
  'operator:strategies.read',
  {
    summary:
      'What the valuations of a strategy commit to, newest first, with the salts: units, net value, prices, cash, holdings, flows and orders',
    query: pageQuery,
    answer: z.array(operatorRecordEntry),
    refusals: ['not_found'],
  },
)

export const suspendStrategy = endpoint(
  'POST',
  '/operator/strategies/:id/suspend',
  'operator:strategies.suspend',
  {
    summary:
      'Suspend a strategy at once: it takes no new money and is sold at its next open, its investors are told with the reason, redeeming goes on',
    body: reasonBody,
    answer: operatorStrategy,
    idempotent: true,
    refusals: ['already_decided'],
    audit: ['strategy.suspended'],
  },
)
