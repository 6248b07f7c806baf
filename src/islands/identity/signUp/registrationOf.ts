import type * as z from 'zod/mini'
import type { InputOf } from '../../../contract/endpoint.ts'
import { type register, type signUpForm, TERMS_VERSION } from '../../../contract/identity/registration.ts'

/**
 * What is sent for a filled-in form: full name, e-mail and referral ID in lower case, as the API has always been given
 * them, and the name as typed beside it, for greetings and statements.
 */
export function registrationOf(typed: z.input<typeof signUpForm>): InputOf<typeof register> {
  const { fullname, email, referralID, acceptedTerms, ...asTyped } = typed
  return {
    ...asTyped,
    fullname: fullname.toLowerCase(),
    displayName: fullname,
    email: email.toLowerCase(),
    ...(referralID && { referralID: referralID.toLowerCase() }),
    ...(acceptedTerms && { acceptedTerms: TERMS_VERSION }),
  }
}
