import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { secretField } from '../text.ts'
import { confirmField, confirmsPassword } from './passwordRules.ts'
import { newPasswordField } from './passwords.ts'

const passwordPair = { password: newPasswordField(), confirmPassword: confirmField() }

/** The fields of the form. */
export const invitationForm = z.object(passwordPair).check(confirmsPassword())

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/auth/accept-invitation',
  scope: 'public',
  summary:
    'Become an operator with the mailed link and a password of one’s own. No operator’s route answers before a second factor is on',
  status: 201,
  body: z.object({ ...passwordPair, token: secretField(LINK_PROBLEM) }).check(confirmsPassword()),
  answer: message,
  limit: { name: 'accept-invitation', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: ['invalid_token', 'conflict'],
})
