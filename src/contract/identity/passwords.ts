import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, secretField } from '../fields.ts'
import { isCommonPassword } from './commonPasswords.ts'

export const PASSWORD_MIN = 8

/** A new password: at least 8 characters, not a common one. Never trimmed. */
export function newPasswordField(empty = 'Password is required') {
  return secretField(empty).check(
    z.refine(
      (value: string) => value === '' || value.length >= PASSWORD_MIN,
      `Please use at least ${PASSWORD_MIN} characters`,
    ),
    z.refine(
      (value: string) => value.length < PASSWORD_MIN || !isCommonPassword(value),
      'That password is one of the most common ones. Please choose another',
    ),
  )
}

/** The new password typed again. */
export function confirmField() {
  return z
    .string({ error: 'Confirm Password is required' })
    .check(z.minLength(1, 'Confirm Password is required'))
}

interface PasswordTwice {
  password: string
  confirmPassword?: string | null | undefined
}

/**
 * Checks that `confirmPassword`, if given, equals `password`. It runs even if other fields are wrong, so that the form
 * shows all errors at once.
 */
export function checkPasswordsMatch() {
  return z.refine<PasswordTwice>(
    ({ password, confirmPassword }) =>
      typeof password !== 'string' || (confirmPassword ?? password) === password,
    {
      path: ['confirmPassword'],
      error: 'Passwords must match',
      when: ({ value, issues }) =>
        typeof value === 'object' &&
        value !== null &&
        issues.every(({ path }) => path?.[0] !== 'confirmPassword'),
    },
  )
}

/**
 * The form that changes a password. It only compares the two new passwords; the server checks the rest, because the
 * form sends only one of them.
 */
export const passwordChangeForm = z
  .partial(z.object({ currentPassword: z.string(), newPassword: z.string(), confirmPassword: z.string() }))
  .check(
    z.refine(({ newPassword, confirmPassword }) => (newPassword ?? '') === (confirmPassword ?? ''), {
      path: ['confirmPassword'],
      error: 'Passwords must match',
    }),
  )

export const forgotPassword = endpoint('POST', '/auth/forgot-password', 'public', {
  summary: 'Mail a link to choose a new password. The answer is always the same',
  body: z.object({ email: emailField() }),
  answer: message,
  limit: { name: 'forgot-password', per: 'address', max: 100, windowSeconds: 3600 },
})

const passwordPair = { password: newPasswordField(), confirmPassword: confirmField() }

export const newPasswordForm = z.object(passwordPair).check(checkPasswordsMatch())

export const resetPassword = endpoint('POST', '/auth/reset-password', 'public', {
  summary: 'Set a new password with the mailed token. Ends every session of the account',
  body: z
    .object({ ...passwordPair, email: emailField(), token: secretField(LINK_PROBLEM) })
    .check(checkPasswordsMatch()),
  answer: message,
  limit: { name: 'reset-password', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: ['invalid_token'],
})
