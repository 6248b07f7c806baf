import type { InvitationRow, OperatorRow } from '../../../contract/console/operators.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { ROLES, ROLES_OF, ROLES_OF_PROPOSALS, type Role } from '../../../contract/roles.ts'
import type { StatusProps } from '../../../design/Status.tsx'
import { capitalised } from '../../money/transactions/words.ts'

export const ROLE_SENTENCES: Record<Role, string> = {
  reviewer: 'Opens identity documents and decides about them, answers messages, freezes accounts.',
  treasurer: 'Credits deposits, approves and pays withdrawals, proposes bonuses, wallets and reversals.',
  administrator: 'Decides with a second administrator who operates and which settings hold.',
  auditor: 'Reads everything, identity documents and the audit log among it. Changes nothing.',
}

/** "Reviewer, Treasurer". */
export function roleNames(roles: readonly Role[]): string {
  return roles.map(capitalised).join(', ')
}

/** What each scope allows. Read scopes are named after their page. */
const SCOPE_WORDS: Record<OperatorScope, string> = {
  'operator:overview': 'Overview',
  'operator:deposits.read': 'Deposits',
  'operator:deposits.decide': 'Credit and reject deposits',
  'operator:withdrawals.read': 'Withdrawals',
  'operator:withdrawals.decide': 'Approve, reject and pay withdrawals',
  'operator:kyc.read': 'KYC',
  'operator:kyc.documents': 'Open identity documents',
  'operator:kyc.decide': 'Decide about identities',
  'operator:kyc.keys': 'Retire document keys',
  'operator:investors.read': 'Investors',
  'operator:investors.write': 'Freeze, sign out and notify investors',
  'operator:investors.note': 'Note something about investors',
  'operator:wallets.read': 'Wallets',
  'operator:wallets.write': 'Retire receiving wallets',
  'operator:strategies.read': 'Strategies',
  'operator:strategies.suspend': 'Suspend strategies',
  'operator:proposals.read': 'Proposals',
  'operator:proposals.write': 'Propose',
  'operator:proposals.decide': 'Decide proposals',
  'operator:messages.read': 'Messages',
  'operator:messages.write': 'Reply to messages, close and reopen them',
  'operator:settings.read': 'Settings',
  'operator:settings.write': 'Change settings that one may change alone',
  'operator:audit.read': 'Audit log',
  'operator:ledger.read': 'Trial balance',
  'operator:outbox.write': 'Try mails that failed again',
  'operator:operators.read': 'Read who operates',
  'operator:operators.write': 'Disable operators, end their sessions, withdraw invitations',
}

const PROPOSAL_WORDS: Record<keyof typeof ROLES_OF_PROPOSALS, string> = {
  bonus: 'bonuses',
  wallet: 'receiving wallets',
  reversal: 'reversals',
  settings: 'settings that take two',
  announcement: 'mails to everybody',
  operator: 'who operates',
  strategy: 'resuming and stopping strategies',
  reviewer_key: 'document keys',
  factor_recovery: 'removing lost second factors',
}

// Listed for each kind of proposal instead.
const BY_KIND: readonly OperatorScope[] = ['operator:proposals.write', 'operator:proposals.decide']

/** All permissions with their roles, from the same list as on the server. The first row sums up what every role may read. */
export function permissions(): readonly { what: string; roles: readonly Role[] }[] {
  const scopes = Object.entries(ROLES_OF) as [OperatorScope, readonly Role[]][]
  const alone = scopes.filter(([scope, roles]) => roles.length < ROLES.length && !BY_KIND.includes(scope))
  const kinds = Object.entries(ROLES_OF_PROPOSALS) as [keyof typeof PROPOSAL_WORDS, readonly Role[]][]
  return [
    { what: `Read ${everybodyReads(scopes)}`, roles: ROLES },
    ...alone.map(([scope, roles]) => ({ what: SCOPE_WORDS[scope], roles })),
    ...kinds.map(([kind, roles]) => ({
      what: `Propose ${PROPOSAL_WORDS[kind]}, and decide what another proposed`,
      roles,
    })),
  ]
}

function everybodyReads(scopes: readonly [OperatorScope, readonly Role[]][]): string {
  const words = scopes
    .filter(([, roles]) => roles.length === ROLES.length)
    .map(([scope]) => SCOPE_WORDS[scope])
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The status of an operator's access. */
export function accessOf({
  disabledAt,
  secondFactor,
}: Pick<OperatorRow, 'disabledAt' | 'secondFactor'>): StatusProps {
  if (disabledAt !== null) return { status: 'cancelled', label: 'Disabled' }
  return secondFactor ? { status: 'active' } : { status: 'pending', label: 'No second factor yet' }
}

export const INVITATION_STATUS: Record<InvitationRow['status'], StatusProps> = {
  awaiting: { status: 'pending', label: 'To be approved' },
  open: { status: 'pending', label: 'Mailed' },
  accepted: { status: 'approved', label: 'Accepted' },
  expired: { status: 'cancelled', label: 'Over' },
}

/** Whether an operator can act as an administrator now. A proposal needs two of them. */
export function canAdminister({ roles, disabledAt, secondFactor }: OperatorRow): boolean {
  return roles.includes('administrator') && disabledAt === null && secondFactor
}
