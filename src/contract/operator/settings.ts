import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const settings = z.object({
  messagingNumber: z.nullable(z.string()),
  supportAddress: z.nullable(z.string()),
  reasons: z.array(z.string()),
  twoPersonLimit: z.number(),
  kycRequired: z.boolean(),
  referralBonus: z.number(),
  /** Investors below whom the root of liabilities is not published. */
  liabilitiesFrom: z.number(),
  minimums: z.object({ deposit: z.number(), withdrawal: z.number() }),
  fees: z.object({ performanceBasisPoints: z.number(), subscriptionMonthly: z.number() }),
  /** Days: documents and the person after an account was closed, a rejected document after it was rejected. */
  retention: z.object({
    documentDays: z.number(),
    personDays: z.number(),
    rejectedDocumentDays: z.number(),
  }),
})

export type Settings = z.output<typeof settings>

export const getSettings = endpoint({
  method: 'GET',
  path: '/operator/settings',
  scope: 'operator:settings.read',
  summary: 'The platform’s settings',
  status: 200,
  answer: settings,
})
