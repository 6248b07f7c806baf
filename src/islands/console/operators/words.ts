import type { InvitationRow, OperatorRow } from '../../../contract/console/operators.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { ROLES, ROLES_OF, ROLES_OF_PROPOSALS, type Role } from '../../../contract/roles.ts'
import type { StatusProps } from '../../../design/Status.tsx'
import { toCapitalised } from '../../money/transactions/words.ts'

export const ROLE_SENTENCES: Record<Role, string> = {
  reviewer: 'Opens identity documents and approves or rejects them, answers messages, freezes accounts.',
  treasurer: 'Credits deposits, approves and pays withdrawals, proposes bonuses, wallets and reversals.',
  administrator: 'Changes operators and settings, together with a second administrator.',
  support: 'Answers messages and notifies investors. Sees neither money nor identity documents.',
  compliance:
    'Opens identity documents, freezes accounts, writes confidential notes, exports. Moves no money.',
  auditor: 'Reads everything, including identity documents and the audit log. Changes nothing.',
}

/** "Reviewer, Treasurer". */
export function formatRoles(roles: readonly Role[]): string {
  return roles.map(toCapitalised).join(', ')
}

/** What each scope allows. Read scopes are named after their page. */
const SCOPE_WORDS: Record<OperatorScope, string> = {
  'operator:overview': 'My work',
  'operator:health.read': 'Health',
  'operator:cases.assign': 'Assign cases and ask investors about them',
  'operator:deposits.read': 'Deposits',
  'operator:deposits.decide': 'Credit and reject deposits',
  'operator:withdrawals.read': 'Withdrawals',
  'operator:withdrawals.decide': 'Approve, reject and pay withdrawals',
  'operator:kyc.read': 'KYC',
  'operator:kyc.documents': 'Open identity documents',
  'operator:kyc.decide': 'Approve and reject identity documents',
  'operator:kyc.own_key': 'Have a document key',
  'operator:kyc.keys': 'Retire document keys',
  'operator:sanctions.read': 'Sanctions',
  'operator:sanctions.decide': 'Clear possible hits on the sanctions list',
  'operator:investors.read': 'Investors',
  'operator:investors.money': 'Investors’ figures',
  'operator:investors.write': 'Unfreeze and sign out investors',
  'operator:investors.freeze': 'Freeze investors',
  'operator:investors.contact': 'Notify investors',
  'operator:investors.note': 'Write notes about investors',
  'operator:investors.confidential':
    'Freeze silently and write confidential notes: compliance, and the role that the settings name',
  'operator:wallets.read': 'Wallets',
  'operator:wallets.write': 'Retire receiving wallets',
  'operator:wallets.watch': 'Ask for proof of control of watch-only wallets',
  'operator:strategies.read': 'Strategies',
  'operator:strategies.suspend': 'Suspend strategies',
  'operator:proposals.read': 'Proposals',
  'operator:proposals.write': 'Make proposals',
  'operator:proposals.decide': 'Decide proposals',
  'operator:messages.read': 'Messages',
  'operator:messages.write': 'Reply to messages, close and reopen them',
  'operator:settings.read': 'Settings',
  'operator:settings.write': 'Change settings that need one administrator',
  'operator:treasury.read': 'Treasury',
  'operator:treasury.pause': 'Pause all payouts',
  'operator:treasury.write': 'Propose entries of the treasury, and clear differences',
  'operator:reports.read': 'See whom the yearly report to tax authorities leaves out',
  'operator:reports.export': 'Export the yearly report to tax authorities',
  'operator:audit.read': 'Audit log',
  'operator:ledger.read': 'Trial balance',
  'operator:outbox.write': 'Retry failed mails',
  'operator:operators.read': 'List operators',
  'operator:operators.write': 'Disable operators, end their sessions, withdraw invitations',
}

const PROPOSAL_WORDS: Record<keyof typeof ROLES_OF_PROPOSALS, string> = {
  bonus: 'bonuses',
  wallet: 'receiving wallets',
  reversal: 'reversals',
  settings: 'settings that need two operators',
  announcement: 'announcements',
  service_notice: 'service notices to all investors',
  operator: 'changes of operators',
  strategy: 'resuming and stopping strategies',
  reviewer_key: 'document keys',
  factor_recovery: 'removing lost second factors',
  watch_wallet: 'watch-only wallets',
  venue: 'trading with money at exchanges',
  watch_wallet_retirement: 'retiring watch-only wallets',
  payout_resumption: 'resuming payouts',
  identity_reopening: 'accepting another identity document after a final rejection',
  treasury: 'entries of the treasury',
  month_close: 'closing months',
  key_holders: 'assigning the keys of watch-only wallets',
}

// Listed for each kind of proposal instead.
const BY_KIND: readonly OperatorScope[] = ['operator:proposals.write', 'operator:proposals.decide']

/** All permissions with their roles, from the same list as on the server. The first rows sum up what most roles read. */
export function listPermissions(): readonly { what: string; roles: readonly Role[] }[] {
  const scopes = Object.entries(ROLES_OF) as [OperatorScope, readonly Role[]][]
  const isRead = (roles: readonly Role[]) => roles.includes('auditor') && roles.length >= ROLES.length - 1
  const everybody = scopes.filter(([, roles]) => roles.length === ROLES.length)
  const most = scopes.filter(([, roles]) => isRead(roles) && roles.length < ROLES.length)
  const alone = scopes.filter(([scope, roles]) => !isRead(roles) && !BY_KIND.includes(scope))
  const kinds = Object.entries(ROLES_OF_PROPOSALS) as [keyof typeof PROPOSAL_WORDS, readonly Role[]][]
  return [
    ...[everybody, most].map((read) => ({ what: `Read ${joinScopes(read)}`, roles: read[0]?.[1] ?? ROLES })),
    ...alone.map(([scope, roles]) => ({ what: SCOPE_WORDS[scope], roles })),
    ...kinds.map(([kind, roles]) => ({
      what: `Propose ${PROPOSAL_WORDS[kind]}, and decide others’ proposals`,
      roles,
    })),
  ]
}

function joinScopes(scopes: readonly [OperatorScope, readonly Role[]][]): string {
  const words = scopes.map(([scope]) => SCOPE_WORDS[scope])
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The status of an operator's access. */
export function describeAccess({
  disabledAt,
  secondFactor,
}: Pick<OperatorRow, 'disabledAt' | 'secondFactor'>): StatusProps {
  if (disabledAt !== null) return { status: 'cancelled', label: 'Disabled' }
  return secondFactor ? { status: 'active' } : { status: 'pending', label: 'No second factor' }
}

export const INVITATION_STATUS: Record<InvitationRow['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'Waiting for approval' },
  open: { status: 'pending', label: 'Sent' },
  accepted: { status: 'approved', label: 'Accepted' },
  expired: { status: 'cancelled', label: 'Expired' },
}

/** Whether an operator can act as an administrator now. A proposal needs two of them. */
export function canAdminister({ roles, disabledAt, secondFactor }: OperatorRow): boolean {
  return roles.includes('administrator') && disabledAt === null && secondFactor
}
