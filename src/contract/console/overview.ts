import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { decisionTimes } from '../money/decisionTimes.ts'

/** A queue with more than so many is counted no further. */
export const MOST_COUNTED = 1000

/** How many wait for a decision; payouts are approved withdrawals that are not paid yet. */
export const waitingCounts = z.object({
  deposits: z.number(),
  withdrawals: z.number(),
  payouts: z.number(),
  kyc: z.number(),
  messages: z.number(),
  proposals: z.number(),
})

export type WaitingCounts = z.output<typeof waitingCounts>

export const getWaiting = endpoint('GET', '/operator/waiting', 'operator:overview', {
  summary: `How many wait in each queue, up to ${MOST_COUNTED}. Made to be asked often: 304 where nothing changed since \`If-None-Match\``,
  answer: waitingCounts,
  byItself: true,
})

export const trialBalance = z.object({
  debits: z.number(),
  credits: z.number(),
  balanced: z.boolean(),
  accounts: z.array(z.object({ kind: z.string(), balance: z.number() })),
})

export type TrialBalance = z.output<typeof trialBalance>

export const getTrialBalance = endpoint('GET', '/operator/ledger/trial-balance', 'operator:ledger.read', {
  summary: 'Debits, credits and the balance of each kind of account',
  answer: trialBalance,
})

/** Of the last 24 hours, in USD: what may be decided, and what was. */
const ceiling = z.object({ limit: z.number(), used: z.number() })

/** Counted up to `MOST_COUNTED`. */
const waiting = z.object({ count: z.number(), oldest: z.nullable(isoTime) })

export const operatorOverview = z.object({
  /** Of when it is. */
  at: isoTime,
  waiting: z.object({
    deposits: waiting,
    withdrawals: waiting,
    payouts: waiting,
    kyc: waiting,
    messages: waiting,
    proposals: waiting,
  }),
  /** The very figures that investors are told. */
  decisionTimes,
  /** The daily ceilings: of whoever asks, deciding alone, and of all operators together. */
  ceilings: z.object({
    creditsAlone: ceiling,
    payoutsAlone: ceiling,
    credits: ceiling,
    payouts: ceiling,
  }),
  /** Of when custody, liabilities and trial balance are: now, or up to ten minutes ago where there are many accounts. */
  booksAt: isoTime,
  custody: z.array(
    z.object({ asset: z.string(), unit: z.string(), quantity: z.string(), valueUsd: z.nullable(z.number()) }),
  ),
  /** What was paid into strategies less what came back, which custody still has, and what all units are worth by now. */
  strategies: z.object({ paidIn: z.number(), value: z.number() }),
  /**
   * What is owed to investors, in USD. Units of strategies count as what they were worth at the newest valuation. A debt of one investor
   * is never taken off what another is owed.
   */
  liabilities: z.number(),
  /** What investors owe after reversed credits, in USD, and how many of them (counted up to 1,000). */
  debts: z.object({ amount: z.number(), investors: z.number() }),
  trialBalance: z.object({ debits: z.number(), credits: z.number(), balanced: z.boolean() }),
})

export type OperatorOverview = z.output<typeof operatorOverview>

export const getOverview = endpoint('GET', '/operator/overview', 'operator:overview', {
  summary:
    'What waits and since when, how long decisions take, custody against liabilities, the trial balance',
  answer: operatorOverview,
})
