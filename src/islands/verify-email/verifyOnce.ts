import { verifyEmail } from '../../contract/auth.ts'
import { call } from '../lib/api.ts'

const attempts = new Map<string, Promise<unknown>>()

/**
 * Redeems a verification link. The token works once, so that asking again for the same link, as a component that is
 * mounted anew does, gets the outcome of the first time.
 */
export function verifyOnce(query: URLSearchParams): Promise<unknown> {
  const body = {
    email: query.get('email') ?? '',
    verificationToken: query.get('verificationToken') ?? '',
  }
  const link = JSON.stringify(body)
  const attempt = attempts.get(link) ?? call(verifyEmail, { body, quiet: true })
  attempts.set(link, attempt)
  return attempt
}
