import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const twoFactorStanding = endpoint({
  method: 'GET',
  path: '/auth/two-factor',
  scope: 'signed-in',
  summary: 'Whether a second factor is on, since when, which there are, and how many recovery codes are left',
  status: 200,
  answer: z.object({
    on: z.boolean(),
    since: z.nullable(z.string()),
    methods: z.array(z.enum(['passkey', 'totp'])),
    recoveryCodesLeft: z.number(),
  }),
})
