// What an active investor and the operators do in a month of 30 days. Written down, not observed: there are no real investors yet.
// README.md has the reasons for each number.

export const INVESTORS = 1000
export const DAYS = 30

/** Visits of one investor. Each is a sign-in with an app code, the overview, and another screen or act. */
export const VISITS = 8
/** Each page of the dashboard also counts unseen notifications. The browser keeps the list of coins, and asks again every two minutes. */
export const COIN_LISTS_A_VISIT = 3
export const SIGN_OUTS_A_VISIT = 0.5

/** How often an investor opens each screen besides the overview, and the calls of its first load (`test/e2e/support/budget.ts`). */
export const SCREENS = [
  { times: 3, calls: ['/allocations/orders', '/transaction-history'] },
  { times: 2, calls: ['/allocations', '/strategies'] },
  { times: 2, calls: ['/users/notifications'] },
  { times: 1, calls: ['/statements'] },
  {
    times: 0.5,
    calls: [
      '/auth/two-factor',
      '/users/activity',
      '/users/email',
      '/users/passkeys',
      '/users/preferences',
      '/users/sessions',
      '/users/user-info',
    ],
  },
  { times: 0.5, calls: ['/users/referral-terms', '/users/referrals'] },
]
export const OVERVIEW = ['/allocations', '/users/user-info', '/users/value-history']

/** How often an investor does each of these. */
export const ACTS = { deposit: 1, withdraw: 0.5, allocate: 1, redeem: 0.5 }
/** New accounts a month, for each active investor. */
export const NEWCOMERS = 0.05

/** Operators with the console open: one in a queue, one at the first screen, which loads three answers each minute. */
export const OPERATORS = { hours: 8, fromHour: 8 }

/** Bytes of a receipt and of an identity document as people send them. */
export const FILES = { receiptBytes: 400_000, documentBytes: 2_000_000 }
