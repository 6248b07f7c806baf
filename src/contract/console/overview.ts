import * as z from 'zod/mini'
import { isoTime, period } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { decisionTimes } from '../money/decisionTimes.ts'
import { WORK_KIND_NAMES, type WorkKind } from './work.ts'

/** Queues are counted up to here. */
export const MOST_COUNTED = 1000

/** A record with the same value type for every kind of work. */
/* @__NO_SIDE_EFFECTS__ */
function createWorkShape<Value extends z.ZodMiniType>(value: Value) {
  return z.object(Object.fromEntries(WORK_KIND_NAMES.map((kind) => [kind, value])) as Record<WorkKind, Value>)
}

/** How many cases of each kind wait for an operator, and whether payouts are paused, so that open cases show it soon. */
export const waitingCounts = z.extend(createWorkShape(z.number()), { payoutsPaused: z.boolean() })

export type WaitingCounts = z.output<typeof waitingCounts>

export const getWaiting = endpoint('GET', '/operator/waiting', 'operator:overview', {
  summary: `How many cases of each kind wait for an operator, up to ${MOST_COUNTED}. Designed for polling: 304 if nothing changed since \`If-None-Match\``,
  answer: waitingCounts,
  isPolled: true,
})

export const trialBalance = z.object({
  debits: z.number(),
  credits: z.number(),
  balanced: z.boolean(),
  accounts: z.array(z.object({ kind: z.string(), balance: z.number() })),
})

export type TrialBalance = z.output<typeof trialBalance>

export const getTrialBalance = endpoint('GET', '/operator/ledger/trial-balance', 'operator:ledger.read', {
  summary:
    'Debits, credits and the balance of each kind of account. On a large platform they are up to ten minutes old. `at` gives those of an earlier time, since daily sums are kept',
  query: z.object({ at: period.to }),
  answer: trialBalance,
})

/** USD in the last 24 hours: the ceiling, and the amount decided. */
const ceiling = z.object({ limit: z.number(), used: z.number() })

export const operatorOverview = z.object({
  at: isoTime,
  /** Counted up to `MOST_COUNTED`. `oldest`: since when the oldest one waits; `overdue`: how many wait longer than their target. */
  waiting: createWorkShape(
    z.object({
      count: z.number(),
      oldest: z.nullable(isoTime),
      overdue: z.number(),
      targetHours: z.number(),
    }),
  ),
  /** The same figures that investors see. */
  decisionTimes,
  /** The daily ceilings: the caller's, deciding alone, and of all operators together. */
  ceilings: z.object({
    creditsAlone: ceiling,
    payoutsAlone: ceiling,
    credits: ceiling,
    payouts: ceiling,
  }),
  /** The time of custody, liabilities and trial balance: now, or up to ten minutes ago with many accounts. */
  booksAt: isoTime,
  custody: z.array(
    z.object({ asset: z.string(), unit: z.string(), quantity: z.string(), valueUsd: z.nullable(z.number()) }),
  ),
  /**
   * Where custody is: the treasury, and each exchange to which two operators moved something. For each asset the quantities add up to
   * custody. At an exchange strategies trade, so it holds something else by now: `held`. All are exact decimals.
   */
  places: z.array(
    z.object({
      place: z.string(),
      name: z.string(),
      asset: z.string(),
      quantity: z.string(),
      held: z.string(),
      isSimulated: z.boolean(),
    }),
  ),
  /** Money paid into strategies less money taken out, which is still in custody, and the current value of all units. */
  strategies: z.object({ paidIn: z.number(), value: z.number() }),
  /**
   * The amount owed to investors, in USD. Units of strategies count at the newest valuation. One investor's debt never
   * reduces the amounts owed to others.
   */
  liabilities: z.number(),
  /** Investors' debt after reversed credits, in USD, and how many owe (counted up to 1,000). */
  debts: z.object({ amount: z.number(), investors: z.number() }),
  trialBalance: z.object({ debits: z.number(), credits: z.number(), balanced: z.boolean() }),
})

export type OperatorOverview = z.output<typeof operatorOverview>

export const getOverview = endpoint('GET', '/operator/overview', 'operator:health.read', {
  summary:
    'Waiting and overdue cases, decision times, custody compared with liabilities, and the trial balance',
  answer: operatorOverview,
})
