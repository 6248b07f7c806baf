import type { OperatorAction, Proposal } from '../../../contract/console/proposals.ts'
import type { NewsTopic } from '../../../contract/identity/preferences.ts'
import { formatUsd } from '../../../contract/money.ts'
import { coinOnNetwork } from '../cases/coinWords.ts'

export const KIND_LABELS: Record<Proposal['kind'], string> = {
  bonus: 'Bonus',
  wallet: 'Receiving wallet',
  settings: 'Settings',
  reversal: 'Reversal',
  reviewer_key: 'Document key',
  announcement: 'Announcement',
  operator: 'Operator',
  strategy: 'Strategy',
  factor_recovery: 'Lost second factor',
}

/** What people turn off in their profile, by the names that stand there. */
export const TOPIC_LABELS: Record<NewsTopic, string> = {
  salesNews: 'Sales and latest news',
  features: 'New features',
  tips: 'Tips',
}

/** What a proposal is about, in a line. */
export function subjectOf({ kind, investor, amount, request, wallet, ...others }: Proposal): string {
  switch (kind) {
    case 'bonus':
      return `${formatUsd(amount ?? 0)} to ${investor?.name ?? 'an investor'}`
    case 'wallet':
      return wallet ? coinOnNetwork(wallet.walletName, wallet.network) : ''
    case 'settings':
      return (others.changes ?? []).map(changeText).join('; ')
    case 'reversal':
      return request ? `${request.ref}, ${formatUsd(request.amount)}` : ''
    case 'announcement':
      return others.announcement?.subject ?? ''
    case 'operator':
      return operatorFact(others.operator)
    case 'factor_recovery':
      return investor ? `remove the second factor of ${investor.name}` : ''
    case 'strategy':
      return strategyFact(others.strategy)
    case 'reviewer_key':
      return `${others.reviewerKey?.fingerprint ?? ''}, of ${others.proposedBy.name}`
  }
}

const ACTION_WORDS: Record<OperatorAction, string> = {
  invite: 'invite',
  roles: 'change the roles of',
  enable: 'let in again',
  reset_factor: 'take off the second factor of',
}

/** What would change about whom: "invite Ana Torres, ana@example.com, as reviewer, treasurer". */
export function operatorFact(operator: Proposal['operator']): string {
  if (operator === undefined) return ''
  const { action, name, email, roles } = operator
  const who = name === null || email === null ? 'somebody, too long ago' : `${name}, ${email}`
  return `${ACTION_WORDS[action]} ${who}${roles ? `, as ${roles.join(', ')}` : ''}`
}

/** "stop Slow Trend for good". */
function strategyFact(strategy: Proposal['strategy']): string {
  if (strategy === undefined) return ''
  return strategy.action === 'stop' ? `stop ${strategy.name} for good` : `resume ${strategy.name}`
}

/** What would become of each setting: "Smallest deposit: $0.00 → $20.00". */
function changeText({ label, before, after }: Change): string {
  return `${label}: ${fromTo({ before, after })}`
}

/** `$0.00 → $20.00`, or what it becomes where nobody noted what it was. */
export function fromTo({ before, after }: Omit<Change, 'label' | 'setting'>): string {
  return before === undefined ? after : `${before} → ${after}`
}

type Change = NonNullable<Proposal['changes']>[number]
