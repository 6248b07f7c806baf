import { isolate } from '../isolate.ts'
import { formatUsd } from '../money.ts'
import { CHAIN_LABELS, formatAssetQuantity, formatCoinOnNetwork, getCoinLabel } from './coinWords.ts'
import type { OperatorAction, Proposal } from './proposals.ts'

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
