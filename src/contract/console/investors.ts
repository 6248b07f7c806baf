import * as z from 'zod/mini'
import { isoTime, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { KYC_STATUSES } from '../identity/kyc.ts'
import { optionalText } from '../text.ts'

export const ACCOUNT_STANDINGS = ['active', 'frozen', 'closed'] as const
export const IDENTITY_STANDINGS = ['none', ...KYC_STATUSES] as const

export const operatorInvestor = z.object({
  _id: z.string(),
  name: z.string(),
  fullname: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  createdAt: isoTime,
  emailVerified: z.boolean(),
  kyc: z.enum(IDENTITY_STANDINGS),
  frozen: z.boolean(),
  frozenReason: z.nullable(z.string()),
  /** When its owner locked it, with the link in a mail: lifting that takes two operators. */
  lockedAt: z.nullable(isoTime),
  /** The first of the two, where one has agreed to lift it. */
  firstUnlock: z.optional(z.object({ by: z.string(), byId: z.string() })),
  awaiting: z.optional(z.literal('second_operator')),
  /** When its owner closed the account. */
  closedAt: z.nullable(isoTime),
  balances: z.optional(
    z.object({
      available: z.number(),
      deposits: z.number(),
      withdrawals: z.number(),
      bonus: z.number(),
      profits: z.number(),
      pendingDeposits: z.number(),
      pendingWithdrawals: z.number(),
      totalBalance: z.number(),
      owed: z.number(),
    }),
  ),
})

export type OperatorInvestor = z.output<typeof operatorInvestor>

/* @__NO_SIDE_EFFECTS__ */
export function blankIsAll<const T extends readonly string[]>(options: T, problem: string) {
  return z.pipe(
    z.optional(z.union([z.enum(options), z.literal('')], { error: problem })),
    z.transform((value) => (value === '' ? undefined : (value as T[number] | undefined))),
  )
}

export const listInvestors = endpoint({
  method: 'GET',
  path: '/operator/investors',
  scope: 'operator:investors.read',
  summary:
    'Investors, newest first. `query` is the beginning of a name, one of its words, an e-mail address, a phone number or a reference, or a whole id, of a transaction too; where nobody is found so, or with `anywhere`, any part of name, address and number. `account` is active, frozen or closed, `kyc` how far the identity is',
  status: 200,
  query: z.object({
    ...page,
    query: optionalText(120),
    anywhere: z.optional(z.enum(['true', 'false', ''], { error: 'anywhere is true or false' })),
    account: blankIsAll(ACCOUNT_STANDINGS, 'account is one of active, frozen, closed'),
    kyc: blankIsAll(IDENTITY_STANDINGS, `kyc is one of ${IDENTITY_STANDINGS.join(', ')}`),
  }),
  answer: z.array(operatorInvestor),
})

export const getInvestor = endpoint({
  method: 'GET',
  path: '/operator/investors/:id',
  scope: 'operator:investors.read',
  summary: 'One investor with their figures. That somebody looked is recorded, once an hour',
  status: 200,
  answer: operatorInvestor,
  audit: ['investor.viewed'],
})
