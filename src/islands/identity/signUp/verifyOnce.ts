import { verifyEmail } from '../../../contract/identity/signIn.ts'
import { call } from '../../lib/api.ts'

/** What a mailed link carries. */
export interface VerificationLink {
  email: string
  verificationToken: string
}

const attempts = new Map<string, Promise<unknown>>()

/**
 * Redeems a verification link. The token works once, so that asking again for the same link, as a component that is
 * mounted anew does, gets the outcome of the first time.
 */
export function verifyOnce(link: VerificationLink): Promise<unknown> {
  const attempt = attempts.get(link.verificationToken) ?? call(verifyEmail, { body: link, quiet: true })
  attempts.set(link.verificationToken, attempt)
  return attempt
}

/** The link whose page stands open; null where it lost a part on its way. */
export function linkOf(query: URLSearchParams): VerificationLink | null {
  const email = query.get('email') ?? ''
  const verificationToken = query.get('verificationToken') ?? ''
  return email === '' || verificationToken === '' ? null : { email, verificationToken }
}
