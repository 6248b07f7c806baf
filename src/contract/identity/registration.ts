import * as z from 'zod/mini'
import { countryOf } from '../countries.ts'
import { endpoint } from '../endpoint.ts'
import { phoneField } from '../phone.ts'
import { emailField, optionalText, requiredText } from '../text.ts'
import { confirmsPassword } from './passwordRules.ts'
import { newPasswordField } from './passwords.ts'
import { registerCall, TERMS_VERSION } from './signUp.ts'

/** A country as the two-letter code, the English or native name, or our label of both. Kept as the label sent. */
export function countryField() {
  const empty = 'Please select your country'
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || (value.length <= 120 && countryOf(value) !== null), empty),
  )
}

// A client that only knows whether its box was ticked means the version of today.
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

// Stands in the order of the form: the first failing field's message is the `msg` of the answer.
const registration = z
  .object({
    fullname: requiredText('Please enter your fullname', 120),
    displayName: optionalText(120),
    email: emailField(),
    phone: phoneField(),
    password: newPasswordField(),
    confirmPassword: z.optional(z.nullable(z.string())),
    country: countryField(),
    referralID: optionalText(64),
    acceptedTerms: acceptedVersion,
  })
  .check(confirmsPassword())

export const register = endpoint({
  ...registerCall,
  body: registration,
  limit: { name: 'register', per: 'address', max: 200, windowSeconds: 3600 },
})
