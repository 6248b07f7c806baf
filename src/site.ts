/** What an operator replaces with their own. Null means that it was not provided, and the pages say so in these words. */
export const site = {
  brand: 'Evenkeel',
  tagline: 'Rules trade. Nerves don’t.',
  description:
    'Automated trading by written strategies: the rules, the costs and the worst falls are shown before you decide.',
  supportEmail: 'support@evenkeel.example',
  /** `simulated` until the operator goes live: no money moves, and every signed-in page says so. */
  mode: 'simulated',
  company: {
    name: null,
    registration: null,
    address: null,
    licence: null,
  },
} as const satisfies Site

export interface Site {
  brand: string
  tagline: string
  description: string
  supportEmail: string
  mode: 'simulated' | 'live'
  company: {
    name: string | null
    registration: string | null
    address: string | null
    licence: string | null
  }
}

/** Said wherever a company or licence detail stands that nobody has provided. */
export const NOT_PROVIDED = 'not provided yet'

/** Stands on every signed-in page while the mode is `simulated`. */
export const SIMULATED_NOTICE =
  'Simulated money. Nothing here can be paid in or out until the operator goes live.'

export interface SiteLink {
  href: string
  label: string
}

export const navbarLinks: readonly SiteLink[] = [
  { href: '/', label: 'Home' },
  { href: '/about-us', label: 'About Us' },
  { href: '/reviews', label: 'Reviews' },
  { href: '/regulations', label: 'Regulation' },
  { href: '/contact-us', label: 'Contact Us' },
]

export const footerLinks: readonly SiteLink[] = [
  { href: '/', label: 'Home' },
  { href: '/about-us', label: 'About Us' },
  { href: '/contact-us', label: 'Contact Us' },
  { href: '/privacy-policy', label: 'Privacy Policy' },
  { href: '/regulations', label: 'Regulation' },
  { href: '/terms-of-service', label: 'Terms of Service' },
  { href: '/reviews', label: 'Reviews' },
]

export const dashboardLinks = [
  { href: '/dashboard/overview', label: 'Overview' },
  { href: '/dashboard/deposit', label: 'Deposit' },
  { href: '/dashboard/withdrawal', label: 'Withdrawal' },
  { href: '/dashboard/transaction-history', label: 'Transaction History' },
  { href: '/dashboard/profile', label: 'Profile' },
  { href: '/dashboard/kyc', label: 'KYC' },
  { href: '/dashboard/trading-plans', label: 'Trading Plans' },
  { href: '/dashboard/referral-program', label: 'Referral Program' },
] as const satisfies readonly SiteLink[]

export const operatorLinks = [
  { href: '/operator', label: 'Overview' },
  { href: '/operator/deposits', label: 'Deposits' },
  { href: '/operator/withdrawals', label: 'Withdrawals' },
  { href: '/operator/kyc', label: 'KYC' },
  { href: '/operator/proposals', label: 'Proposals' },
  { href: '/operator/investors', label: 'Investors' },
  { href: '/operator/messages', label: 'Messages' },
] as const satisfies readonly SiteLink[]

export type DashboardPath = (typeof dashboardLinks)[number]['href']
export type OperatorPath = (typeof operatorLinks)[number]['href']
