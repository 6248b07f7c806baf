import { formatMonth } from '../dates.ts'
import { isolate } from '../isolate.ts'
import { formatUsd } from '../money.ts'
import { CHAIN_LABELS, formatAssetQuantity, formatCoinOnNetwork, getCoinLabel } from './coinWords.ts'
import type { OperatorAction, Proposal } from './proposals.ts'

/** The act of a proposal in one line that stands alone: “Reverse DEP-7K2M, $500.00, of Ana Torres”. */
export function describeProposal({ kind, investor, amount, request, wallet, ...others }: Proposal): string {
  switch (kind) {
    case 'bonus':
      return `Bonus of ${formatUsd(amount ?? 0)} to ${isolate(investor?.name ?? 'an investor')}`
    case 'wallet':
      return wallet
        ? `Receive ${formatCoinOnNetwork(wallet.walletName, wallet.network)} at another address`
        : ''
    case 'settings':
      return (others.changes ?? []).map((change) => `${change.label}: ${formatChange(change)}`).join('; ')
    case 'reversal':
      return request
        ? `Reverse ${request.ref}, ${formatUsd(request.amount)}, of ${isolate(request.investor.name)}`
        : ''
    case 'announcement':
      return `Mail to subscribers: ${isolate(others.announcement?.subject ?? '')}`
    case 'service_notice':
      return `Mail to every investor: ${isolate(others.announcement?.subject ?? '')}`
    case 'operator':
      return describeOperatorChange(others.operator)
    case 'factor_recovery':
      return investor ? `Remove the second factor of ${isolate(investor.name)}` : ''
    case 'strategy':
      return describeStrategyChange(others.strategy)
    case 'watch_wallet':
      return others.watchWallet ? `Watch a wallet on ${CHAIN_LABELS[others.watchWallet.chain]}` : ''
    case 'venue':
      return describeVenueChange(others.venue)
    case 'identity_reopening':
      return investor ? `Accept another identity document of ${isolate(investor.name)}` : ''
    case 'treasury':
      return describeTreasuryAct(others.treasury)
    case 'month_close':
      return others.month
        ? `Close ${formatMonth(others.month.month, 'long')}, hash ${others.month.hash.slice(0, 12)}`
        : ''
    case 'key_holders':
      return others.keyHolders
        ? `Assign the keys of the watch-only wallet on ${CHAIN_LABELS[others.keyHolders.chain]}`
        : ''
    case 'payout_resumption':
      return 'Resume payouts'
    case 'watch_wallet_retirement':
      return others.retired ? `Retire the watch-only wallet on ${CHAIN_LABELS[others.retired.chain]}` : ''
    case 'reviewer_key':
      return `Encrypt documents to the key of ${isolate(others.proposedBy.name)}, ${others.reviewerKey?.fingerprint ?? ''}`
  }
}

const ACTION_WORDS: Record<OperatorAction, string> = {
  invite: 'Invite',
  roles: 'Change the roles of',
  enable: 'Restore the access of',
  reset_factor: 'Remove the second factor of',
}

/** "Invite Ana Torres, ana@example.com, as reviewer, treasurer". */
export function describeOperatorChange(operator: Proposal['operator']): string {
  if (operator === undefined) return ''
  const { action, name, email, roles } = operator
  const who = name === null || email === null ? 'an invited person (deleted)' : `${isolate(name)}, ${email}`
  return `${ACTION_WORDS[action]} ${who}${roles ? `, as ${roles.join(', ')}` : ''}`
}

/** "Stop Slow Trend for good". */
function describeStrategyChange(strategy: Proposal['strategy']): string {
  if (strategy === undefined) return ''
  return strategy.action === 'stop' ? `Stop ${strategy.name} for good` : `Resume ${strategy.name}`
}

/** "Let Slow Trend on bitcoin trade with money". */
function describeVenueChange(act: Proposal['venue']): string {
  switch (act?.action) {
    case 'trade':
      return `Let ${act.strategy?.name} trade with money`
    case 'transfer':
      return `${act.quantity?.startsWith('-') ? `${act.quantity.slice(1)} ${act.asset} left` : `${act.quantity} ${act.asset} arrived at`} ${act.venue}`
    case 'resume':
      return act.scope === 'all' ? 'Resume all trading' : `Resume trading at ${act.scope}`
    case 'cover':
      return `Pay the debt of ${act.strategy?.name}`
    case undefined:
      return ''
  }
}

/** "Move of 0.5 BTC from Watched wallets to Vault". */
function describeTreasuryAct(act: Proposal['treasury']): string {
  if (act === undefined) return ''
  const { action, from, to, place, at } = act
  const whole = (side: typeof from) => (side ? formatAssetQuantity(side.quantity, side.asset) : '')
  const named = (side: typeof from) => isolate(side?.name ?? '')
  switch (action) {
    case 'conversion':
      return `Conversion of ${whole(from)} at ${named(from)} into ${whole(to)} at ${named(to)}`
    case 'fee':
      return `Fee of ${whole(from)} from ${named(from)}, paid by the company`
    case 'funding':
      return `The company’s own ${whole(to)} to ${named(to)}`
    case 'drawing':
      return `The company’s own ${whole(from)} from ${named(from)}`
    case 'move':
      return `Move of ${whole(from)} from ${named(from)} to ${named(to)}`
    case 'statement':
      return `${named(to)} held ${whole(to)} at the end of ${at?.slice(0, 10) ?? ''}`
    case 'place':
      return place ? `New place for ${getCoinLabel(place.asset)}: ${isolate(place.name)}` : ''
  }
}

/** "$0.00 → $20.00". */
export function formatChange({
  before,
  after,
}: Pick<NonNullable<Proposal['changes']>[number], 'before' | 'after'>): string {
  return `${before} → ${after}`
}
