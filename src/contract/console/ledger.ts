import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const trialBalance = z.object({
  debits: z.number(),
  credits: z.number(),
  balanced: z.boolean(),
  accounts: z.array(z.object({ kind: z.string(), balance: z.number() })),
})

export type TrialBalance = z.output<typeof trialBalance>

export const getTrialBalance = endpoint({
  method: 'GET',
  path: '/operator/ledger/trial-balance',
  scope: 'operator:ledger.read',
  summary: 'Debits, credits and the balance of each kind of account',
  status: 200,
  answer: trialBalance,
})
