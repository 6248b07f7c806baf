import * as z from 'zod/mini'
import { secretField } from '../text.ts'

export const PASSWORD_MIN = 8

/** A new password as far as its length says: at least 8 characters. Never trimmed. */
export function passwordOfLength(empty = 'Password is required') {
  return secretField(empty).check(
    z.refine(
      (value: string) => value === '' || value.length >= PASSWORD_MIN,
      `Please use at least ${PASSWORD_MIN} characters`,
    ),
  )
}

/** The password once more. */
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
 * That `confirmPassword`, where it is given, repeats `password`. Looked at even where other fields are in error: all
 * that is wrong is said at once.
 */
export function confirmsPassword() {
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
