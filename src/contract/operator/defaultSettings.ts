/** What holds where nobody has set anything. Amounts are cents; the worker and the page of fees both read them here. */
export const DEFAULT_SETTINGS = {
  twoPersonLimitCents: 500_000,
  kycRequired: true,
  referralBonusCents: 0,
  minimumCents: { deposit: 0, withdrawal: 0 },
  /** Hundredths of a per cent of a profit. */
  performanceBasisPoints: 0,
  subscriptionMonthlyCents: 0,
} as const
