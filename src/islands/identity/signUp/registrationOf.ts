import type * as z from 'zod/mini'
import { type signUpForm, TERMS_VERSION } from '../../../contract/identity/signUp.ts'

/**
 * What is sent for a filled-in form: full name, e-mail and referral ID in lower case, as the API has always been given
 * them, and the name as typed beside it, for greetings and statements.
 */
export function registrationOf(typed: z.input<typeof signUpForm>): Record<string, unknown> {
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
