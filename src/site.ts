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
  /** Shown only to operators with this scope. */
  scope?: `operator:${string}`
  /** The part of the menu that it stands in. */
  group?: string
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
  { group: 'Work', href: '/operator', label: 'My work' },
  {
    group: 'Work',
    href: '/operator/deposits',
    label: 'Deposits',
    scope: 'operator:deposits.read',
  },
  {
    group: 'Work',
    href: '/operator/withdrawals',
    label: 'Withdrawals',
    scope: 'operator:withdrawals.read',
  },
  {
    group: 'Work',
    href: '/operator/payments',
    label: 'Payments',
    scope: 'operator:deposits.read',
  },
  { group: 'Work', href: '/operator/kyc', label: 'KYC', scope: 'operator:kyc.read' },
  { group: 'Work', href: '/operator/lost-factors', label: 'Lost factors', scope: 'operator:kyc.read' },
  { group: 'Work', href: '/operator/sanctions', label: 'Sanctions', scope: 'operator:sanctions.read' },
  { group: 'Work', href: '/operator/messages', label: 'Messages' },
  {
    group: 'Work',
    href: '/operator/proposals',
    label: 'Proposals',
    scope: 'operator:proposals.read',
  },
  { group: 'People', href: '/operator/investors', label: 'Investors' },
  { group: 'People', href: '/operator/operators', label: 'Operators', scope: 'operator:operators.read' },
  { group: 'People', href: '/operator/keys', label: 'Document keys', scope: 'operator:kyc.read' },
  { group: 'Money', href: '/operator/payouts', label: 'Payouts', scope: 'operator:withdrawals.read' },
  { group: 'Money', href: '/operator/wallets', label: 'Wallets', scope: 'operator:wallets.read' },
  { group: 'Money', href: '/operator/treasury', label: 'Treasury', scope: 'operator:treasury.read' },
  { group: 'Money', href: '/operator/strategies', label: 'Strategies', scope: 'operator:strategies.read' },
  { group: 'Money', href: '/operator/venue', label: 'Exchange', scope: 'operator:strategies.read' },
  { group: 'Platform', href: '/operator/health', label: 'Health', scope: 'operator:health.read' },
  { group: 'Platform', href: '/operator/settings', label: 'Settings' },
  { group: 'Platform', href: '/operator/audit-log', label: 'Audit log', scope: 'operator:audit.read' },
] as const satisfies readonly SiteLink[]

export type DashboardPath = (typeof dashboardLinks)[number]['href']
export type OperatorPath = (typeof operatorLinks)[number]['href']
