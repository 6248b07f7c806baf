import * as z from 'zod/mini'
import { LINK_PROBLEM, message } from '../common.ts'
import { findCountryCode } from '../countries.ts'
import { endpoint } from '../endpoint.ts'
import {
  emailField,
  hasHiddenCharacters,
  optionalText,
  phoneField,
  requiredText,
  secretField,
} from '../fields.ts'
import { checkPasswordsMatch, confirmField, newPasswordField } from './passwords.ts'
import terms from './terms.json' with { type: 'json' }

/** The version of the terms that a new account accepts: the date of the current Terms of Service, a text that is no code. */
export const TERMS_VERSION = terms.version

/** A country as the two-letter code, the English or native name, or our label of both. Stored as sent. */
export function countryField() {
  const empty = 'Please select your country'
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine(
      (value: string) =>
        value === '' ||
        (value.length <= 120 && findCountryCode(value) !== null && !hasHiddenCharacters(value)),
      empty,
    ),
  )
}

// A client that only sends `true` accepts the current version.
const acceptedVersion = z.union(
  [
    z.pipe(
      z.boolean(),
      z.transform((isAccepted) => (isAccepted ? TERMS_VERSION : undefined)),
    ),
    optionalText(40),
  ],
  { error: 'Please give the version of the terms that you accept' },
)

const person = {
  fullname: requiredText('Please enter your fullname', 120),
  email: emailField(),
  country: countryField(),
  phone: phoneField(),
  password: newPasswordField(),
  confirmPassword: confirmField(),
  referralID: optionalText(64),
}

export const signUpForm = z
  .object({
    ...person,
    acceptedTerms: z.literal(true, {
      error: 'Please confirm that you are 18 or older and accept the terms',
    }),
  })
  .check(checkPasswordsMatch())

// In the order of the form: the `msg` of the answer is the first failing field's message.
const registration = z
  .object({
    ...person,
    displayName: optionalText(120),
    confirmPassword: z.optional(z.nullable(z.string())),
    acceptedTerms: acceptedVersion,
  })
  .check(checkPasswordsMatch())

export const register = endpoint('POST', '/auth/register', 'public', {
  summary: 'Open an account. The answer is the same if the address already has one',
  status: 201,
  body: registration,
  answer: message,
  limit: { name: 'register', per: 'address', max: 200, windowSeconds: 3600 },
})

const passwordPair = { password: newPasswordField(), confirmPassword: confirmField() }

export const invitationForm = z.object(passwordPair).check(checkPasswordsMatch())

export const acceptInvitation = endpoint('POST', '/auth/accept-invitation', 'public', {
  summary:
    'Become an operator with the mailed link and a new password. Operator calls are refused until you turn on a second factor',
  status: 201,
  body: z.object({ ...passwordPair, token: secretField(LINK_PROBLEM) }).check(checkPasswordsMatch()),
  answer: message,
  limit: { name: 'accept-invitation', per: 'address', max: 100, windowSeconds: 3600 },
  refusals: ['invalid_token', 'conflict'],
})
