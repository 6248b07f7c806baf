import { randomText, UNAMBIGUOUS } from '../lib/crypto/tokens.ts'

/** A code to share: 40 random bits in lower case, without letters that are taken for digits. */
export function newReferralCode(): string {
  return randomText(8, UNAMBIGUOUS)
}
