import type { ReferralTerms } from '../../../contract/money/referrals.ts'

/** Whether one more person who joins could earn a bonus: while one is set, and until as many were paid as may be. */
export function mayEarn({ bonus, granted, most }: ReferralTerms): boolean {
  return bonus > 0 && granted < most
}
