import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { KYC_STATUSES } from '../identity/kyc.ts'

/** Former requests and notes are counted up to so many. */
export const MOST_KNOWN = 100

const former = z.object({
  /** Credited, or paid. */
  done: z.number(),
  /** What of it stands, in USD. */
  amount: z.number(),
  rejected: z.number(),
})

export const knownInvestor = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: isoTime,
  closedAt: z.nullable(isoTime),
  kyc: z.enum(['none', ...KYC_STATUSES]),
  kycDecidedAt: z.nullable(isoTime),
  secondFactor: z.enum(['none', 'app', 'passkey', 'both']),
  available: z.number(),
  totalBalance: z.number(),
  bonus: z.number(),
  owed: z.number(),
  deposits: former,
  withdrawals: former,
  lastSignInAt: z.nullable(isoTime),
  /** What colleagues wrote about them. */
  notes: z.number(),
  frozenAt: z.nullable(isoTime),
  frozenReason: z.nullable(z.string()),
})

export type KnownInvestor = z.output<typeof knownInvestor>

export const getKnown = endpoint({
  method: 'GET',
  path: '/operator/investors/:id/known',
  scope: 'operator:investors.read',
  summary: `What is known about an investor beside each of their cases; former requests and notes are counted up to ${MOST_KNOWN}`,
  status: 200,
  answer: knownInvestor,
})
