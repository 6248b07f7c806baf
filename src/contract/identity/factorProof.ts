import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { passkeyAnswerField } from '../passkeyAnswer.ts'
import { codeField } from '../text.ts'

/**
 * What an act may carry to confirm it: a fresh code of the authenticator app, or a passkey's answer to the question of the
 * refusal, which is bound to the item and the amount.
 */
export const factorFields = { code: codeField(), passkey: passkeyAnswerField() }

/** Of acts that ask for nothing but the proof. */
export const factorBody = z.optional(z.object(factorFields))

/** Why an act asks for a second factor: the last one is too old, or this act needs one of its own. */
export const FACTOR_REASONS = ['fresh_factor', 'bound_factor'] as const
export type FactorReason = (typeof FACTOR_REASONS)[number]

/** How wrong codes are limited: as at the other calls that check one. Only calls that carry a code count. */
export const FACTOR_LIMIT = { name: 'codes', per: 'account', max: 20, windowSeconds: 900 } as const

/** What every call that asks for a factor may refuse. */
export const FACTOR_REFUSALS = ['step_up_required', 'invalid_code', 'invalid_passkey'] as const

export const confirmFactor = endpoint({
  method: 'POST',
  path: '/auth/confirm',
  scope: 'signed-in',
  summary:
    'Show the second factor again in this session: a code of the app, or a passkey’s answer to what the refusal asked of it',
  status: 204,
  body: factorBody,
  asksFactor: true,
  refusals: ['two_factor_not_set_up', ...FACTOR_REFUSALS],
})
