/** What holds where nobody has set anything. Amounts are cents; the worker and the page of fees both read them here. */
export const DEFAULT_SETTINGS = {
  twoPersonLimitCents: 500_000,
  kycRequired: true,
  referralBonusCents: 0,
  minimumCents: { deposit: 0, withdrawal: 0 },
  /** Hundredths of a per cent of a profit. */
  performanceBasisPoints: 0,
  subscriptionMonthlyCents: 0,
  /** Investors to whom something is owed, below whom the root of liabilities is not published. */
  liabilitiesFrom: 20,
  /** Days that are kept: documents and the person after closing, a rejected document after its rejection. A sample: docs/decisions. */
  retention: { documentDays: 1825, personDays: 1825, rejectedDocumentDays: 180 },
} as const
