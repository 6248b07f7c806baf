import type { z } from 'astro/zod'
import navigation from './content/navigation.json' with { type: 'json' }
import type { siteContent } from './content/schemas.ts'
import content from './content/site.json' with { type: 'json' }

/** What an operator replaces with their own: src/content/site.json, which the build checks. */
export const site = content as Site

export type Site = z.output<typeof siteContent>

/** Shown in place of a company detail that the operator has not provided. */
export const NOT_PROVIDED = 'not provided yet'

/** Shown once on every page while the mode is `simulated`. */
export const PRACTICE_NOTICE = 'Practice mode. No real money.'

export interface SiteLink {
  href: string
  label: string
  /** Shown only to operators with one of these roles, separated by spaces. */
  roles?: string
  /** The queues whose waiting items are counted beside it, separated by spaces. */
  waiting?: string
}

// The links of the public pages' header and footer, as src/content/navigation.json has them. Not destructured: the browser's scripts
// would contain them, although only pages use them.
export const navbarLinks = navigation.navbar
export const footerLinks = navigation.footer
export const factLinks = navigation.facts

export const dashboardLinks = [
  { href: '/dashboard/overview', label: 'Overview' },
  { href: '/dashboard/strategies', label: 'Strategies' },
  { href: '/dashboard/deposit', label: 'Deposit' },
  { href: '/dashboard/withdrawal', label: 'Withdrawal' },
  { href: '/dashboard/transaction-history', label: 'Transaction History' },
  { href: '/dashboard/profile', label: 'Profile' },
  { href: '/dashboard/kyc', label: 'KYC' },
  { href: '/dashboard/trading-plans', label: 'Trading Plans' },
  { href: '/dashboard/referral-program', label: 'Referral Program' },
  { href: '/dashboard/support', label: 'Support' },
] as const satisfies readonly SiteLink[]

export const operatorLinks = [
  { href: '/operator', label: 'My work' },
  { href: '/operator/deposits', label: 'Deposits', waiting: 'deposits' },
  { href: '/operator/withdrawals', label: 'Withdrawals', waiting: 'withdrawals payouts' },
  { href: '/operator/payments', label: 'Payments', waiting: 'payments' },
  { href: '/operator/payouts', label: 'Payouts' },
  { href: '/operator/kyc', label: 'KYC', waiting: 'kyc' },
  { href: '/operator/lost-factors', label: 'Lost factors' },
  { href: '/operator/messages', label: 'Messages', waiting: 'messages' },
  { href: '/operator/investors', label: 'Investors' },
  { href: '/operator/proposals', label: 'Proposals', waiting: 'proposals' },
  { href: '/operator/wallets', label: 'Wallets' },
  { href: '/operator/treasury', label: 'Treasury' },
  { href: '/operator/strategies', label: 'Strategies' },
  { href: '/operator/venue', label: 'Exchange' },
  { href: '/operator/settings', label: 'Settings' },
  { href: '/operator/operators', label: 'Operators', roles: 'administrator auditor' },
  { href: '/operator/keys', label: 'Document keys' },
  { href: '/operator/audit-log', label: 'Audit log' },
  { href: '/operator/health', label: 'Health' },
] as const satisfies readonly SiteLink[]

export type DashboardPath = (typeof dashboardLinks)[number]['href']
export type OperatorPath = (typeof operatorLinks)[number]['href']
