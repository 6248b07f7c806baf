import * as z from 'zod/mini'

const typed = z.optional(z.string())

/**
 * The fields of the form that changes a password. The server says what is wrong with them; only that the new one was
 * typed twice alike is looked at here, since one of the two is sent.
 */
export const passwordChangeForm = z
  .object({ currentPassword: typed, newPassword: typed, confirmPassword: typed })
  .check(
    z.refine(({ newPassword, confirmPassword }) => (newPassword ?? '') === (confirmPassword ?? ''), {
      path: ['confirmPassword'],
      error: 'Passwords must match',
    }),
  )
