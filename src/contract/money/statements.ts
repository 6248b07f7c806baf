import * as z from 'zod/mini'
import { formatQuery, isoTime, page, period, periodInOrder } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** The label of each ledger entry, by its code. */
export const ENTRY_WORDS = {
  credit: 'Deposit credited',
  repay: 'Repaid of what was owed',
  hold: 'Held for a withdrawal',
  release: 'Given back from a withdrawal',
  complete: 'Withdrawal paid',
  bonus: 'Bonus granted',
  overdraw: 'Owed after a reversal',
  reverse_credit: 'Deposit reversed',
  reverse_payout: 'Withdrawal reversed',
  reverse_bonus: 'Referral bonus taken back',
  allocate: 'Set aside to invest',
  deallocate: 'Given back, order cancelled',
  invest: 'Invested, units bought',
  redeem: 'Redeemed, units sold',
  gain: 'Gain on redeemed units',
  lose: 'Loss on redeemed units',
  fee: 'Fee',
  forfeit: 'Gain on reversed money',
} as const
export type EntryCode = keyof typeof ENTRY_WORDS

const entry = {
  _id: z.string(),
  at: isoTime,
  /** The reference of the deposit, withdrawal or order behind it; null for a bonus. */
  ref: z.nullable(z.string()),
  code: z.enum(Object.keys(ENTRY_WORDS) as [EntryCode, ...EntryCode[]]),
  /** The amount moved, in USD. */
  amount: z.number(),
  /** The change of the balance: 0 if money only moved within the account. */
  change: z.number(),
}

export const ledgerEntry = z.object(entry)
export type LedgerEntry = z.output<typeof ledgerEntry>

const balances = {
  available: z.number(),
  held: z.number(),
  /** Everything in the account, less debt. Strategies count at cost. */
  balance: z.number(),
}

/**
 * The balances at one moment. `balance` = available + held + allocating + invested − owed; `totalBalance` = balance +
 * unrealised.
 */
const statementBalances = z.object({
  ...balances,
  /** Set aside for pending orders. */
  allocating: z.number(),
  /** In strategies, at cost. */
  invested: z.number(),
  owed: z.number(),
  /** Gain or loss on units owned, at the price of that moment. */
  unrealised: z.number(),
  totalBalance: z.number(),
})
export type StatementBalances = z.output<typeof statementBalances>

/** Units of a strategy at the end of a statement. */
const statementPosition = z.object({
  strategy: z.string(),
  name: z.string(),
  units: z.number(),
  /** USD for one unit. Null before the first price; then the value is the cost. */
  unitPrice: z.nullable(z.number()),
  value: z.number(),
})
export type StatementPosition = z.output<typeof statementPosition>

const statementEntry = z.object({ ...entry, ...balances })
export type StatementEntry = z.output<typeof statementEntry>

/** The ledger over a period. The opening balance plus each entry's change equals the closing balance. Amounts in USD. */
export const statement = z.object({
  from: z.nullable(isoTime),
  to: isoTime,
  name: z.string(),
  opening: statementBalances,
  entries: z.array(statementEntry),
  closing: statementBalances,
  /** By name. Their values add up to the closing `invested` + `unrealised`. */
  positions: z.array(statementPosition),
})
export type Statement = z.output<typeof statement>

/** Longer statements are available as CSV only. */
export const MOST_STATEMENT_ENTRIES = 1000

export const getStatement = endpoint('GET', '/statements', 'signed-in-or-key', {
  summary:
    'The account’s ledger entries over a period, with the balances after each, oldest first. `format=csv` returns a file. More than 1,000 entries are available as CSV only',
  query: z
    .object({
      ...period,
      format: formatQuery,
    })
    .check(periodInOrder),
  answer: statement,
  limit: { name: 'statements', per: 'account', max: 60, windowSeconds: 600 },
  refusals: ['too_many_entries'],
})

/** The figures that are sums of ledger entries, by their names in the user info. */
export const EXPLAINED_FIGURES = ['deposits', 'withdrawals', 'bonus', 'pendingWithdrawals'] as const
export type ExplainedFigure = (typeof EXPLAINED_FIGURES)[number]

export const listEntries = endpoint('GET', '/users/entries', 'signed-in-or-key', {
  summary:
    'The ledger entries that make up a figure, newest first. `change` is how much each entry changed the figure',
  query: z
    .object({
      ...page,
      figure: z.enum(EXPLAINED_FIGURES, { error: `figure is one of ${EXPLAINED_FIGURES.join(', ')}` }),
      ...period,
    })
    .check(periodInOrder),
  answer: z.array(ledgerEntry),
})

export const VALUE_DAYS = ['30', '90', '365'] as const

const dayValue = z.object({
  /** A UTC day: `2026-01-31`. */
  day: z.string(),
  /** The total balance at its end, for today the current one; strategies at the price of the day. USD. */
  balance: z.number(),
  /** Money paid in on that day, bonuses included, less money paid out. The rest of the change is gain or loss. */
  paidIn: z.number(),
})
export type DayValue = z.output<typeof dayValue>

export const getValueHistory = endpoint('GET', '/users/value-history', 'signed-in-or-key', {
  summary: 'The total balance at the end of each of the last 30, 90 or 365 days, oldest first',
  query: z.object({
    days: z.pipe(
      z.optional(z.enum(VALUE_DAYS, { error: 'days is 30, 90 or 365' })),
      z.transform((days) => Number(days ?? '30')),
    ),
  }),
  answer: z.array(dayValue),
})
