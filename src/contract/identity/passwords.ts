import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, secretField } from '../text.ts'
import { isCommonPassword } from './commonPasswords.ts'
import { confirmField, confirmsPassword, PASSWORD_MIN, passwordOfLength } from './passwordRules.ts'

/** A new password: at least 8 characters, not one of the common ones. Never trimmed. */
export function newPasswordField(empty = 'Password is required') {
  return passwordOfLength(empty).check(
    z.refine(
      (value: string) => value.length < PASSWORD_MIN || !isCommonPassword(value),
      'That password is one of the most common ones. Please choose another',
    ),
  )
}

const passwordPair = { password: newPasswordField(), confirmPassword: confirmField() }

/** The fields of the reset form. */
export const newPasswordForm = z.object(passwordPair).check(confirmsPassword())

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  scope: 'public',
  summary: 'Choose a new password with the mailed token. Ends every session of the account',
  status: 200,
  body: z
    .object({ ...passwordPair, email: emailField(), token: secretField(LINK_PROBLEM) })
    .check(confirmsPassword()),
  answer: message,
  limit: { name: 'reset-password', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})
