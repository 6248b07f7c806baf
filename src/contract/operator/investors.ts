import * as z from 'zod/mini'
import { isoTime, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { KYC_STATUSES } from '../kyc.ts'
import { optionalText, requiredText } from '../text.ts'
import { noBody, reasonBody } from './bodies.ts'

export const operatorInvestor = z.object({
  _id: z.string(),
  name: z.string(),
  fullname: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  createdAt: isoTime,
  emailVerified: z.boolean(),
  kyc: z.enum(['none', ...KYC_STATUSES]),
  frozen: z.boolean(),
  frozenReason: z.nullable(z.string()),
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

export const listInvestors = endpoint({
  method: 'GET',
  path: '/operator/investors',
  scope: 'operator:investors.read',
  summary: 'Investors, newest first; `query` is a part of the name or the e-mail address, or a reference',
  status: 200,
  query: z.object({ ...page, query: optionalText(120) }),
  answer: z.array(operatorInvestor),
})

export const getInvestor = endpoint({
  method: 'GET',
  path: '/operator/investors/:id',
  scope: 'operator:investors.read',
  summary: 'One investor with their figures',
  status: 200,
  answer: operatorInvestor,
})

export const freezeInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/freeze',
  scope: 'operator:investors.write',
  summary: 'Freeze an account: it reads, and moves no money',
  status: 200,
  body: reasonBody,
  answer: operatorInvestor,
  idempotent: true,
  audit: ['investor.frozen'],
})

export const unfreezeInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/unfreeze',
  scope: 'operator:investors.write',
  summary: 'Lift the freeze of an account',
  status: 200,
  body: noBody,
  answer: operatorInvestor,
  idempotent: true,
  audit: ['investor.unfrozen'],
})

export const endInvestorSessions = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/end-sessions',
  scope: 'operator:investors.write',
  summary: 'End every session of an investor, who is told by mail',
  status: 200,
  body: noBody,
  answer: operatorInvestor,
  idempotent: true,
  audit: ['investor.sessions_ended'],
})

const flag = (fallback: boolean, problem: string) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.boolean(), z.enum(['true', 'false'])], { error: problem }))),
    z.transform((value) =>
      value === undefined || value === null ? fallback : value === true || value === 'true',
    ),
  )

export const notifyInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/notification',
  scope: 'operator:investors.write',
  summary: 'Show an investor a notification. Its HTML is sanitised on the way in',
  status: 201,
  body: z.object({
    title: requiredText('Please give a title', 200),
    content: requiredText('Please give the content', 16_384),
    persistent: flag(false, 'persistent is true or false'),
  }),
  answer: operatorInvestor,
  idempotent: true,
  audit: ['investor.notified'],
})
