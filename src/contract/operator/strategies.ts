import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { STRATEGY_STATUSES } from '../strategies.ts'

export const operatorStrategy = z.object({
  /** The slug. */
  _id: z.string(),
  name: z.string(),
  status: z.enum(STRATEGY_STATUSES),
  /** Since when it is so, by whom, and why where it is not active. */
  since: isoTime,
  by: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  reason: z.nullable(z.string()),
  startedAt: isoTime,
  /** USD: for one unit at the latest valuation, and all that its pool holds at it. Null before the first. */
  unitPrice: z.nullable(z.number()),
  netValue: z.nullable(z.number()),
  units: z.number(),
  /** How many hold units. */
  investors: z.number(),
  /** The day whose step was done last; null before the first. */
  lastStep: z.nullable(z.string()),
  /** Whether a day’s step that has begun, or should have, is not done. */
  behind: z.boolean(),
  /** Orders of investors that wait for a valuation. */
  ordersWaiting: z.number(),
})
export type OperatorStrategy = z.output<typeof operatorStrategy>

export const listOperatorStrategies = endpoint({
  method: 'GET',
  path: '/operator/strategies',
  scope: 'operator:strategies.read',
  summary: 'Every strategy with its pool: what it is worth, which day it is at, and what waits',
  status: 200,
  answer: z.array(operatorStrategy),
})
