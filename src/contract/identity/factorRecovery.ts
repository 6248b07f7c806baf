import * as z from 'zod/mini'
import { LINK_PROBLEM, message, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { codeField, emailField, secretField } from '../fields.ts'

/** From the decision of two reviewers to the removal of the second factor. */
export const RECOVERY_DELAY_HOURS = 72

const credentials = { email: emailField(), password: secretField('Password is required') }

export const requestFactorRecovery = endpoint('POST', '/auth/factor-recovery', 'public', {
  summary:
    'Request the removal of a lost second factor. A code is mailed if e-mail and password are right. The answer is always the same',
  status: 202,
  body: z.object(credentials),
  answer: message,
})

const mailedCode = z.pipe(
  codeField(),
  z.transform((code, context) => {
    const digits = code?.replace(/[\s-]/g, '')
    return digits !== undefined && /^\d{6}$/.test(digits)
      ? digits
      : refuseValue(context, 'Please enter the six digits from the mail')
  }),
)

export const mailedCodeForm = z.object({ code: mailedCode })

export const confirmFactorRecovery = endpoint('POST', '/auth/factor-recovery/confirm', 'public', {
  summary:
    'File the request with the mailed code. Two reviewers then check the identity. The second factor is removed 72 hours after that, unless the owner stops it',
  body: z.object({ ...credentials, code: mailedCode }),
  answer: message,
  refusals: ['invalid_code', 'forbidden', 'conflict'],
})

export const stopFactorRecovery = endpoint('POST', '/auth/factor-recovery/stop', 'public', {
  summary:
    'Stop the removal of a second factor with the token of a mail about it. Idempotent: a repeated call returns the same answer',
  body: z.object({ token: secretField(LINK_PROBLEM) }),
  answer: message,
  limit: { name: 'stop-factor-recovery', per: 'address', max: 60, windowSeconds: 3600 },
  refusals: ['invalid_token', 'already_decided'],
})
