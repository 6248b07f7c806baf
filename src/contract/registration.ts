import * as z from 'zod/mini'
import { message } from './common.ts'
import { countryOf } from './countries.ts'
import { endpoint } from './endpoint.ts'
import { confirmField, confirmsPassword, newPasswordField } from './passwords.ts'
import { emailField, optionalText, requiredText } from './text.ts'

const PHONE = /^\+(?:\d ?){6,14}\d$/

/** A plus sign and 7 to 15 digits with optional single spaces. */
export function phoneField(empty = 'Phone number is required') {
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || PHONE.test(value), 'Invalid phone number'),
  )
}

/** A country as the two-letter code, the English or native name, or our label of both. Kept as the label sent. */
export function countryField() {
  const empty = 'Please select your country'
  return z.string({ error: empty }).check(
    z.minLength(1, empty),
    z.refine((value: string) => value === '' || (value.length <= 120 && countryOf(value) !== null), empty),
  )
}

/** The version of the terms that registering accepts: the date the Terms of Service carry. */
export const TERMS_VERSION = '2022-08-10'

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
    acceptedTerms: optionalText(40),
  })
  .check(confirmsPassword())

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  scope: 'public',
  summary: 'Open an account. The answer is the same when the address has one already',
  status: 201,
  body: registration,
  answer: message,
  limit: { name: 'register', per: 'address', max: 200, windowSeconds: 3600 },
})

/** The fields of the sign-up form: what is sent, plus what only the form asks. */
export const signUpForm = z
  .object({
    fullname: requiredText('Please enter your fullname', 120),
    email: emailField(),
    phone: phoneField(),
    password: newPasswordField(),
    confirmPassword: confirmField(),
    country: countryField(),
    referralID: optionalText(64),
    acceptedTerms: z.literal(true, {
      error: 'Please confirm that you are 18 or older and accept the terms',
    }),
  })
  .check(confirmsPassword())
