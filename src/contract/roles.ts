/** An operator may have several roles and gets the scopes of all of them. */
export const ROLES = ['reviewer', 'treasurer', 'administrator', 'auditor'] as const
export type Role = (typeof ROLES)[number]

const EVERY_ROLE: readonly Role[] = ROLES

/**
 * The roles that have each scope of the console. Each operator endpoint names its scope. An auditor can read everything
 * but has no write access.
 */
const SCOPES = {
  'operator:overview': EVERY_ROLE,
  'operator:deposits.read': EVERY_ROLE,
  'operator:deposits.decide': ['treasurer'],
  'operator:withdrawals.read': EVERY_ROLE,
  'operator:withdrawals.decide': ['treasurer'],
  'operator:kyc.read': EVERY_ROLE,
  'operator:kyc.documents': ['reviewer', 'auditor'],
  'operator:kyc.decide': ['reviewer'],
  'operator:kyc.keys': ['reviewer', 'administrator'],
  'operator:investors.read': EVERY_ROLE,
  'operator:investors.write': ['reviewer', 'administrator'],
  'operator:investors.note': ['reviewer', 'treasurer', 'administrator'],
  'operator:wallets.read': EVERY_ROLE,
  'operator:wallets.write': ['treasurer'],
  'operator:wallets.watch': ['administrator'],
  'operator:strategies.read': EVERY_ROLE,
  'operator:strategies.suspend': ['treasurer', 'administrator'],
  'operator:proposals.read': EVERY_ROLE,
  'operator:proposals.write': ['treasurer', 'administrator'],
  'operator:proposals.decide': ['reviewer', 'treasurer', 'administrator'],
  'operator:messages.read': EVERY_ROLE,
  'operator:messages.write': ['reviewer'],
  'operator:settings.read': EVERY_ROLE,
  'operator:settings.write': ['administrator'],
  'operator:treasury.read': EVERY_ROLE,
  'operator:treasury.pause': ['treasurer', 'administrator'],
  'operator:audit.read': EVERY_ROLE,
  'operator:ledger.read': EVERY_ROLE,
  'operator:outbox.write': ['administrator'],
  'operator:operators.read': ['administrator', 'auditor'],
  'operator:operators.write': ['administrator'],
} as const satisfies Record<`operator:${string}`, readonly Role[]>

export type OperatorScope = keyof typeof SCOPES

export const ROLES_OF: Readonly<Record<OperatorScope, readonly Role[]>> = SCOPES

/**
 * The roles that propose and decide each kind of proposal. The table `proposal_roles` holds the same list. Reviewers
 * propose their own keys.
 */
export const ROLES_OF_PROPOSALS = {
  bonus: ['treasurer'],
  wallet: ['treasurer'],
  reversal: ['treasurer'],
  settings: ['administrator'],
  announcement: ['administrator'],
  operator: ['administrator'],
  strategy: ['treasurer', 'administrator'],
  reviewer_key: ['reviewer', 'administrator'],
  factor_recovery: ['reviewer'],
  watch_wallet: ['administrator'],
  venue: ['treasurer', 'administrator'],
  watch_wallet_retirement: ['administrator'],
  payout_resumption: ['administrator'],
} as const satisfies Record<string, readonly Role[]>

/**
 * Parses a space-separated list of roles. Unknown words are ignored; the result has no duplicates and follows the order
 * of `ROLES`.
 */
export function parseRoles(words: string): Role[] {
  const named = words.split(' ')
  return ROLES.filter((role) => named.includes(role))
}
