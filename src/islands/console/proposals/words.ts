import type { OperatorAction, Proposal } from '../../../contract/console/proposals.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { AnnouncementTopic } from '../../../contract/outreach/announcements.ts'
import { ROLES_OF_PROPOSALS, type Role } from '../../../contract/roles.ts'
import { describeRequiredRoles } from '../cases/roleWords.ts'
import type { Operator } from '../cases/useOperator.ts'

/** The topics, worded as in the investors' profile, which does not list the last. */
export const TOPIC_LABELS: Record<AnnouncementTopic, string> = {
  salesNews: 'Sales and latest news',
  features: 'New features',
  tips: 'Tips',
  service: 'The service itself: goes to every investor',
}

/** What has happened once it is approved. */
export function describeApproval(proposal: Proposal): string {
  const { kind, operator, treasury } = proposal
  if (kind === 'operator') return OPERATOR_APPROVALS[operator?.action ?? 'roles']
  if (treasury?.action === 'statement')
    return 'The balance is recorded. The newest of a place is compared with the books, and Treasury shows the result.'
  if (treasury?.action === 'place') return 'The place is in the list. Entries can be proposed for it.'
  return APPROVALS[kind]
}

const OPERATOR_APPROVALS: Record<OperatorAction, string> = {
  invite: 'The invitation was mailed. Its link works once, for three days.',
  roles: 'The new roles apply from now on, and they got a mail.',
  enable: 'They can sign in again, and got a mail.',
  reset_factor: 'Their second factor is removed, and their sessions have ended. They got a mail with a link.',
}

export const APPROVALS: Record<Exclude<Proposal['kind'], 'operator'>, string> = {
  bonus: 'The money is available to the investor.',
  wallet: 'Investors can pay to this address from now on.',
  settings: 'The new values apply from now on. The audit log has the change.',
  reversal: 'The books are corrected, and the investor gets a mail with the reason.',
  reviewer_key: 'New documents will be encrypted to this key, too.',
  announcement: 'It is being sent to its subscribers. Open it again to see how many mails went out.',
  service_notice: 'It is being sent to every investor. Open it again to see how many mails went out.',
  strategy: 'The strategy has changed. Strategies shows its state.',
  factor_recovery: 'The 72 hours have begun. The investor can stop the removal until then.',
  watch_wallet: 'Investors get their own addresses from this wallet from now on.',
  venue: 'It is recorded. Exchange shows the state.',
  watch_wallet_retirement: 'Nobody gets an address from this wallet any more.',
  payout_resumption: 'Payouts go on.',
  identity_reopening: 'The investor got a mail, and can send a document again.',
  treasury: 'It is booked. The journal of the treasury shows it.',
  month_close: 'The month is closed. Later entries go to the next one.',
  key_holders: 'Each holder now hands in the signatures of their own key.',
}

/** The button that approves it: "Approve bonus of $5.00". */
export function approveLabel({ kind, amount, request }: Proposal): string {
  if (kind === 'bonus') return `Approve bonus of ${formatUsd(amount ?? 0)}`
  if (kind === 'reversal' && request) return `Approve reversal of ${formatUsd(request.amount)}`
  return APPROVE_LABELS[kind]
}

export const APPROVE_LABELS: Record<Proposal['kind'], string> = {
  bonus: 'Approve bonus',
  wallet: 'Approve wallet',
  settings: 'Approve settings',
  reversal: 'Approve reversal',
  reviewer_key: 'Approve key',
  announcement: 'Approve and send announcement',
  service_notice: 'Approve and send service notice',
  operator: 'Approve change of operator',
  strategy: 'Approve change of strategy',
  factor_recovery: 'Approve removal of second factor',
  watch_wallet: 'Approve watch-only wallet',
  venue: 'Approve change of trading',
  watch_wallet_retirement: 'Approve retirement of watch-only wallet',
  payout_resumption: 'Resume payouts',
  identity_reopening: 'Accept another document',
  treasury: 'Approve and book',
  month_close: 'Close the month',
  key_holders: 'Assign the keys',
}

/** Sentences that say why an operator may not approve, or not reject, a proposal; undefined if they may. */
export function describeClosedDecisions(
  me: Operator['me'],
  { kind, proposedBy }: Pick<Proposal, 'kind' | 'proposedBy'>,
): { approve: string | undefined; reject: string | undefined } {
  const roles: readonly Role[] = ROLES_OF_PROPOSALS[kind]
  const lacking = me?.roles.some((role) => roles.includes(role)) ? undefined : describeRequiredRoles(roles)
  const isOwn = me?._id === proposedBy._id
  return { approve: lacking ?? (isOwn ? OWN : undefined), reject: lacking }
}

const OWN = 'You made this proposal. Another operator has to approve it. You can withdraw it.'

/** Says who reads the reason of a proposal once it is approved. */
export function getReasonLabel({ kind, strategy }: Pick<Proposal, 'kind' | 'strategy'>): string {
  if (kind === 'reversal') return 'Message to the investor'
  if (kind === 'strategy' && strategy?.action === 'stop') return 'Message to the investors'
  if (kind === 'factor_recovery') return 'How the identity was checked'
  return 'Because'
}

/** The kinds with a form on the proposals page. Other kinds are proposed on the page that they change. */
export const PROPOSABLE = ['bonus', 'reversal', 'announcement', 'service_notice'] as const
export type Proposable = (typeof PROPOSABLE)[number]

/** The kinds that these roles may propose there. */
export function listProposableKinds(roles: readonly Role[]): Proposable[] {
  return PROPOSABLE.filter((kind) => {
    const proposers: readonly Role[] = ROLES_OF_PROPOSALS[kind]
    return roles.some((role) => proposers.includes(role))
  })
}
