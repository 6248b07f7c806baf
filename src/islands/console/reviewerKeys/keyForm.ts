import * as z from 'zod/mini'
import { secretField } from '../../../contract/fields.ts'
import { isCommonPassword } from '../../../contract/identity/commonPasswords.ts'

/** Longer than a password: with a copy of the database, passphrases can be tried at any speed. */
export const PASSPHRASE_MIN = 12

const PASSPHRASE_PROBLEM = `Please use at least ${PASSPHRASE_MIN} characters`

export const keyForm = z
  .object({
    passphrase: z.string({ error: PASSPHRASE_PROBLEM }).check(
      z.minLength(PASSPHRASE_MIN, PASSPHRASE_PROBLEM),
      z.maxLength(256, 'Please use at most 256 characters'),
      z.refine((text: string) => !isCommonPassword(text), 'This is one of the most common passwords'),
    ),
    repeated: z.string({ error: 'Please repeat the passphrase' }),
    password: secretField('Please enter your password'),
  })
  .check(
    z.refine(({ passphrase, repeated }) => passphrase === repeated, {
      error: 'Passphrases must match',
      path: ['repeated'],
    }),
    // Our server sees the password at each sign-in, and must not see what opens the documents.
    z.refine(({ passphrase, password }) => passphrase !== password, {
      error: 'Please use another one than your account’s password, which our server sees',
      path: ['passphrase'],
    }),
  )
