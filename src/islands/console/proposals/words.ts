import type { OperatorAction, Proposal } from '../../../contract/console/proposals.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { AnnouncementTopic } from '../../../contract/outreach/announcements.ts'
import { ROLES_OF_PROPOSALS, type Role } from '../../../contract/roles.ts'
import { CHAIN_LABELS, formatAssetQuantity, formatCoinOnNetwork, getCoinLabel } from '../cases/coinWords.ts'
import { describeRequiredRoles } from '../cases/roleWords.ts'
import type { Operator } from '../cases/useOperator.ts'

/** The topics, worded as in the investors' profile, which does not list the last. */
export const TOPIC_LABELS: Record<AnnouncementTopic, string> = {
  salesNews: 'Sales and latest news',
  features: 'New features',
  tips: 'Tips',
  service: 'The service itself: goes to every investor',
}

/** The subject of a proposal in one line. */
export function describeProposalSubject({
  kind,
  investor,
  amount,
  request,
  wallet,
  ...others
}: Proposal): string {
  switch (kind) {
    case 'bonus':
      return `${formatUsd(amount ?? 0)} to ${isolate(investor?.name ?? 'an investor')}`
    case 'wallet':
      return wallet ? formatCoinOnNetwork(wallet.walletName, wallet.network) : ''
    case 'settings':
      return (others.changes ?? []).map((change) => `${change.label}: ${formatChange(change)}`).join('; ')
    case 'reversal':
      return request ? `${request.ref}, ${formatUsd(request.amount)}, ${isolate(request.investor.name)}` : ''
    case 'announcement':
    case 'service_notice':
      return others.announcement?.subject ?? ''
    case 'operator':
      return describeOperatorChange(others.operator)
    case 'factor_recovery':
      return investor ? `remove the second factor of ${isolate(investor.name)}` : ''
    case 'strategy':
      return describeStrategyChange(others.strategy)
    case 'watch_wallet':
      return others.watchWallet ? `on ${CHAIN_LABELS[others.watchWallet.chain]}` : ''
    case 'venue':
      return describeVenueChange(others.venue)
    case 'identity_reopening':
      return investor ? `accept one of ${isolate(investor.name)} again` : ''
    case 'treasury':
      return describeTreasuryAct(others.treasury)
    case 'month_close':
      return others.month ? `${others.month.month}, ${others.month.hash.slice(0, 12)}` : ''
    case 'key_holders':
      return others.keyHolders ? `on ${CHAIN_LABELS[others.keyHolders.chain]}` : ''
    case 'payout_resumption':
      return 'approve, pay and release withdrawals again'
    case 'watch_wallet_retirement':
      return others.retired ? `on ${CHAIN_LABELS[others.retired.chain]}` : ''
    case 'reviewer_key':
      return `${others.reviewerKey?.fingerprint ?? ''}, of ${isolate(others.proposedBy.name)}`
  }
}

/** The button that approves it: "Approve bonus of $5.00". */
export function approveLabel({ kind, amount, request }: Proposal): string {
  if (kind === 'bonus') return `Approve bonus of ${formatUsd(amount ?? 0)}`
  if (kind === 'reversal' && request) return `Approve reversal of ${formatUsd(request.amount)}`
  return APPROVE_LABELS[kind]
}

const APPROVE_LABELS: Record<Proposal['kind'], string> = {
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

const ACTION_WORDS: Record<OperatorAction, string> = {
  invite: 'invite',
  roles: 'change the roles of',
  enable: 'restore the access of',
  reset_factor: 'remove the second factor of',
}

/** "invite Ana Torres, ana@example.com, as reviewer, treasurer". */
export function describeOperatorChange(operator: Proposal['operator']): string {
  if (operator === undefined) return ''
  const { action, name, email, roles } = operator
  const who = name === null || email === null ? 'an invited person (deleted)' : `${isolate(name)}, ${email}`
  return `${ACTION_WORDS[action]} ${who}${roles ? `, as ${roles.join(', ')}` : ''}`
}

/** "stop Slow Trend for good". */
function describeStrategyChange(strategy: Proposal['strategy']): string {
  if (strategy === undefined) return ''
  return strategy.action === 'stop' ? `stop ${strategy.name} for good` : `resume ${strategy.name}`
}

/** "let Slow Trend on bitcoin trade with money". */
function describeVenueChange(act: Proposal['venue']): string {
  switch (act?.action) {
    case 'trade':
      return `let ${act.strategy?.name} trade with money`
    case 'transfer':
      return `${act.quantity?.startsWith('-') ? `${act.quantity.slice(1)} ${act.asset} left` : `${act.quantity} ${act.asset} arrived at`} ${act.venue}`
    case 'resume':
      return act.scope === 'all' ? 'resume all trading' : `resume trading at ${act.scope}`
    case 'cover':
      return `pay the debt of ${act.strategy?.name}`
    case undefined:
      return ''
  }
}

/** "0.5 BTC from Watched wallets to Vault". */
function describeTreasuryAct(act: Proposal['treasury']): string {
  if (act === undefined) return ''
  const { action, from, to, place, at } = act
  const whole = (side: typeof from) => (side ? formatAssetQuantity(side.quantity, side.asset) : '')
  const named = (side: typeof from) => isolate(side?.name ?? '')
  switch (action) {
    case 'conversion':
      return `${whole(from)} at ${named(from)} became ${whole(to)} at ${named(to)}`
    case 'fee':
      return `fee of ${whole(from)} at ${named(from)}, paid by the company`
    case 'funding':
      return `the company’s own ${whole(to)} to ${named(to)}`
    case 'drawing':
      return `the company’s own ${whole(from)} from ${named(from)}`
    case 'move':
      return `${whole(from)} from ${named(from)} to ${named(to)}`
    case 'statement':
      return `${named(to)} held ${whole(to)} at the end of ${at?.slice(0, 10) ?? ''}`
    case 'place':
      return place ? `new place for ${getCoinLabel(place.asset)}: ${isolate(place.name)}` : ''
  }
}

/** "$0.00 → $20.00". */
export function formatChange({
  before,
  after,
}: Pick<NonNullable<Proposal['changes']>[number], 'before' | 'after'>): string {
  return `${before} → ${after}`
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

const OWN = 'You made this proposal. Another operator has to approve it. You can reject it to withdraw it.'

/** Says who reads the reason of a proposal once it is approved. */
export function getReasonLabel({ kind, strategy }: Pick<Proposal, 'kind' | 'strategy'>): string {
  if (kind === 'reversal') return 'Message to the investor'
  if (kind === 'strategy' && strategy?.action === 'stop') return 'Message to the investors'
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
