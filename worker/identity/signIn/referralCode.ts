import { randomText, UNAMBIGUOUS } from '../../lib/crypto/tokens.ts'
import type { Env } from '../../lib/env.ts'

/** A code to share: 40 random bits in lower case, without letters that are taken for digits. */
export function newReferralCode(): string {
  return randomText(8, UNAMBIGUOUS)
}

/** The link that opens the registration with a code filled in. */
export function referralLink(env: Pick<Env, 'PUBLIC_ORIGIN'>, code: string): string {
  return `${env.PUBLIC_ORIGIN}/sign-up?ref=${code}`
}
