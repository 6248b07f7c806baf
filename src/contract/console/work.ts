import type { OperatorScope } from '../roles.ts'

interface WorkKindFacts {
  /** All of it, as a heading: "Deposits to credit". */
  readonly title: string
  /** One of it, in a sentence: "a deposit". */
  readonly one: string
  /** The page that shows it. A case is `?open=` with its id. */
  readonly href: `/operator/${string}`
  /** Who can do it. For proposals, `ROLES_OF_PROPOSALS` also counts. */
  readonly scope: OperatorScope
  /** The hours within which it should be done: the default of the setting `targets.<kind>`. */
  readonly hours: number
}

/**
 * Everything that waits for an operator, by kind. My work, the counts of navigation, filters and tab title, the Health page, targets and
 * mails about overdue cases all follow from it. `worker/console/work/kinds.ts` says where the rows of each kind are.
 */
export const WORK_KINDS = {
  deposit: {
    title: 'Deposits to credit',
    one: 'a deposit',
    href: '/operator/deposits',
    scope: 'operator:deposits.decide',
    hours: 24,
  },
  second_credit: {
    title: 'Credits that wait for a second operator',
    one: 'a second approval of a credit',
    href: '/operator/deposits',
    scope: 'operator:deposits.decide',
    hours: 8,
  },
  withdrawal: {
    title: 'Withdrawals to approve',
    one: 'a withdrawal',
    href: '/operator/withdrawals',
    scope: 'operator:withdrawals.decide',
    hours: 24,
  },
  payout: {
    title: 'Withdrawals to pay',
    one: 'an approved withdrawal',
    href: '/operator/withdrawals?status=approved',
    scope: 'operator:withdrawals.decide',
    hours: 24,
  },
  release: {
    title: 'Payouts to sign and send',
    one: 'an unsigned payout',
    href: '/operator/payouts',
    scope: 'operator:withdrawals.decide',
    hours: 24,
  },
  kyc: {
    title: 'Identity documents',
    one: 'an identity document',
    href: '/operator/kyc',
    scope: 'operator:kyc.decide',
    hours: 48,
  },
  expired_document: {
    title: 'Expired identity documents',
    one: 'an expired identity document',
    href: '/operator/kyc?status=expired',
    scope: 'operator:kyc.decide',
    hours: 168,
  },
  factor_recovery: {
    title: 'Lost second factors',
    one: 'a lost second factor',
    href: '/operator/lost-factors',
    scope: 'operator:kyc.decide',
    hours: 48,
  },
  sanctions_hit: {
    title: 'Possible hits on the sanctions list',
    one: 'a possible hit on the sanctions list',
    href: '/operator/sanctions',
    scope: 'operator:sanctions.decide',
    hours: 24,
  },
  lock_lift: {
    title: 'Locked accounts to unlock',
    one: 'a locked account',
    href: '/operator/investors?status=unlocking',
    scope: 'operator:investors.write',
    hours: 48,
  },
  message: {
    title: 'Messages',
    one: 'a message',
    href: '/operator/messages',
    scope: 'operator:messages.write',
    hours: 24,
  },
  proposal: {
    title: 'Proposals',
    one: 'a proposal',
    href: '/operator/proposals',
    scope: 'operator:proposals.decide',
    hours: 72,
  },
  reversal: {
    title: 'Reversals',
    one: 'a reversal',
    href: '/operator/proposals',
    scope: 'operator:proposals.decide',
    hours: 24,
  },
  payment: {
    title: 'Payments to identify',
    one: 'a payment to identify',
    href: '/operator/payments',
    scope: 'operator:deposits.decide',
    hours: 48,
  },
  disagreement: {
    title: 'Disagreements of books and chain',
    one: 'a disagreement of books and chain',
    href: '/operator/health',
    scope: 'operator:health.read',
    hours: 24,
  },
  difference: {
    title: 'Differences of the treasury',
    one: 'a difference of the treasury',
    href: '/operator/treasury',
    scope: 'operator:treasury.write',
    hours: 24,
  },
} as const satisfies Readonly<Record<string, WorkKindFacts>>

export type WorkKind = keyof typeof WORK_KINDS

export const WORK_KIND_NAMES = Object.keys(WORK_KINDS) as [WorkKind, ...WorkKind[]]

/** The facts of a kind, with the general type for loops. */
export function getWorkKind(kind: WorkKind): WorkKindFacts {
  return WORK_KINDS[kind]
}

/** The kinds that a page shows, without its parameters. */
export function listKindsOfPage(href: string): WorkKind[] {
  return WORK_KIND_NAMES.filter((kind) => WORK_KINDS[kind].href.split('?')[0] === href)
}

const ASKING_KINDS: ReadonlySet<WorkKind> = new Set([
  'deposit',
  'second_credit',
  'withdrawal',
  'payout',
  'kyc',
  'factor_recovery',
])

/** Whether the investor of a case of this kind can be asked. */
export function isAskingKind(kind: WorkKind): boolean {
  return ASKING_KINDS.has(kind)
}
