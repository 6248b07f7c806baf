import * as z from 'zod/mini'
import { message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { phoneField } from '../phone.ts'
import { emailField, optionalText, requiredText } from '../text.ts'
import { confirmField, confirmsPassword, passwordOfLength } from './passwordRules.ts'

/** The version of the terms that registering accepts: the day from which the Terms of Service hold as they are. */
export const TERMS_VERSION = '2026-11-22'

/** Where registrations go. What the server checks of them stands in `registration.ts`, with lists a page need not load. */
export const registerCall = endpoint({
  method: 'POST',
  path: '/auth/register',
  scope: 'public',
  summary: 'Open an account. The answer is the same when the address has one already',
  status: 201,
  body: z.looseObject({}),
  answer: message,
})

/**
 * The fields of the sign-up form: what is sent, plus what only the form asks. Whether a password is among the common
 * ones and whether a country exists is left to the server, which says so beside the field.
 */
export const signUpForm = z
  .object({
    fullname: requiredText('Please enter your fullname', 120),
    email: emailField(),
    phone: phoneField(),
    password: passwordOfLength(),
    confirmPassword: confirmField(),
    country: requiredText('Please select your country', 120),
    referralID: optionalText(64),
    acceptedTerms: z.literal(true, {
      error: 'Please confirm that you are 18 or older and accept the terms',
    }),
  })
  .check(confirmsPassword())
