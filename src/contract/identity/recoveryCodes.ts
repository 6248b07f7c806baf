import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { passwordAndProof } from './auth.ts'

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/two-factor/recovery-codes',
  scope: 'signed-in',
  summary: 'Get ten new recovery codes, once; the old ones no longer work',
  status: 200,
  body: passwordAndProof,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  limit: { name: 'codes', per: 'account', max: 20, windowSeconds: 900 },
  refusals: [
    'two_factor_not_set_up',
    'wrong_password',
    'second_factor_required',
    'invalid_code',
    'too_many_codes',
    'invalid_passkey',
  ],
})
