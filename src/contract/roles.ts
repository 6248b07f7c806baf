/** An operator may have several roles and gets the scopes of all of them. */
export const ROLES = ['reviewer', 'treasurer', 'support', 'compliance', 'administrator', 'auditor'] as const
export type Role = (typeof ROLES)[number]

const EVERY_ROLE: readonly Role[] = ROLES
/** Support reads neither money nor identity documents. */
const ALL_BUT_SUPPORT: readonly Role[] = ROLES.filter((role) => role !== 'support')

/** The roles that the settings may name for confidential notes and silent freezes. */
export const CONFIDENTIAL_ROLES = [
  'reviewer',
  'treasurer',
  'compliance',
  'administrator',
] as const satisfies readonly Role[]

/**
 * The roles that have each scope of the console. Each operator endpoint names its scope. An auditor can read everything
 * but has no write access.
 */
const SCOPES = {
  'operator:overview': EVERY_ROLE,
  'operator:health.read': ALL_BUT_SUPPORT,
  'operator:cases.assign': ['reviewer', 'treasurer', 'support', 'compliance', 'administrator'],
  'operator:deposits.read': ALL_BUT_SUPPORT,
  'operator:deposits.decide': ['treasurer'],
  'operator:withdrawals.read': ALL_BUT_SUPPORT,
  'operator:withdrawals.decide': ['treasurer'],
  'operator:kyc.read': ALL_BUT_SUPPORT,
  'operator:kyc.documents': ['reviewer', 'compliance', 'auditor'],
  'operator:kyc.decide': ['reviewer'],
  'operator:kyc.own_key': ['reviewer', 'compliance'],
  'operator:kyc.keys': ['reviewer', 'compliance', 'administrator'],
  'operator:sanctions.read': ALL_BUT_SUPPORT,
  'operator:sanctions.decide': ['compliance', 'administrator'],
  'operator:investors.read': EVERY_ROLE,
  'operator:investors.money': ALL_BUT_SUPPORT,
  'operator:investors.write': ['reviewer', 'administrator'],
  'operator:investors.freeze': ['reviewer', 'compliance', 'administrator'],
  'operator:investors.contact': ['reviewer', 'support', 'compliance', 'administrator'],
  'operator:investors.note': ['reviewer', 'treasurer', 'support', 'compliance', 'administrator'],
  'operator:investors.confidential': CONFIDENTIAL_ROLES,
  'operator:wallets.read': ALL_BUT_SUPPORT,
  'operator:wallets.write': ['treasurer'],
  'operator:wallets.watch': ['administrator'],
  'operator:strategies.read': ALL_BUT_SUPPORT,
  'operator:strategies.suspend': ['treasurer', 'administrator'],
  'operator:proposals.read': ALL_BUT_SUPPORT,
  'operator:proposals.write': ['treasurer', 'administrator'],
  'operator:proposals.decide': ['reviewer', 'treasurer', 'compliance', 'administrator'],
  'operator:messages.read': EVERY_ROLE,
  'operator:messages.write': ['reviewer', 'support'],
  'operator:settings.read': EVERY_ROLE,
  'operator:settings.write': ['administrator'],
  'operator:treasury.read': ALL_BUT_SUPPORT,
  'operator:treasury.pause': ['treasurer', 'administrator'],
  'operator:treasury.write': ['treasurer'],
  'operator:reports.read': ['compliance', 'administrator', 'auditor'],
  'operator:reports.export': ['compliance', 'administrator'],
  'operator:audit.read': ALL_BUT_SUPPORT,
  'operator:ledger.read': ALL_BUT_SUPPORT,
  'operator:outbox.write': ['administrator'],
  'operator:operators.read': ['administrator', 'auditor'],
  'operator:operators.write': ['administrator'],
} as const satisfies Record<`operator:${string}`, readonly Role[]>

export type OperatorScope = keyof typeof SCOPES

export const ROLES_OF: Readonly<Record<OperatorScope, readonly Role[]>> = SCOPES

/** The scope that reads each kind of case. */
export const CASE_SCOPES = {
  deposit: 'operator:deposits.read',
  withdrawal: 'operator:withdrawals.read',
  kyc: 'operator:kyc.read',
  message: 'operator:messages.read',
} as const satisfies Record<string, OperatorScope>

/** The reading scope of the area of another scope: `operator:kyc.read` for `operator:kyc.decide`. */
export function getReadScope(scope: OperatorScope): OperatorScope {
  const read = `${scope.slice(0, scope.lastIndexOf('.'))}.read`
  return read in SCOPES ? (read as OperatorScope) : scope
}

/**
 * The roles that propose and decide each kind of proposal. The table `proposal_roles` holds the same list. Who
 * opens documents proposes their own key.
 */
export const ROLES_OF_PROPOSALS = {
  bonus: ['treasurer'],
  wallet: ['treasurer'],
  reversal: ['treasurer'],
  settings: ['administrator'],
  announcement: ['administrator'],
  service_notice: ['administrator'],
  operator: ['administrator'],
  strategy: ['treasurer', 'administrator'],
  reviewer_key: ['reviewer', 'compliance', 'administrator'],
  factor_recovery: ['reviewer'],
  watch_wallet: ['administrator'],
  venue: ['treasurer', 'administrator'],
  watch_wallet_retirement: ['administrator'],
  payout_resumption: ['administrator'],
  identity_reopening: ['administrator'],
  treasury: ['treasurer'],
  month_close: ['treasurer', 'administrator'],
  key_holders: ['administrator'],
} as const satisfies Record<string, readonly Role[]>

/**
 * Parses a space-separated list of roles. Unknown words are ignored; the result has no duplicates and follows the order
 * of `ROLES`.
 */
export function parseRoles(words: string): Role[] {
  const named = words.split(' ')
  return ROLES.filter((role) => named.includes(role))
}
