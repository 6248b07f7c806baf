import { formatUsd } from '../../contract/money.ts'
import type { OperatorAction } from '../../contract/operator/operatorChanges.ts'
import type { Proposal } from '../../contract/operator/proposals.ts'
import type { NewsTopic } from '../../contract/preferences.ts'
import { coinOnNetwork } from '../operator/coinWords.ts'

export const KIND_LABELS: Record<Proposal['kind'], string> = {
  bonus: 'Bonus',
  wallet: 'Receiving wallet',
  settings: 'Settings',
  reversal: 'Reversal',
  reviewer_key: 'Document key',
  announcement: 'Announcement',
  operator: 'Operator',
}

/** What people turn off in their profile, by the names that stand there. */
export const TOPIC_LABELS: Record<NewsTopic, string> = {
  salesNews: 'Sales and latest news',
  features: 'New features',
  tips: 'Tips',
}

/** What a proposal is about, in a line. */
export function subjectOf({
  kind,
  investor,
  amount,
  request,
  wallet,
  settings,
  ...others
}: Proposal): string {
  switch (kind) {
    case 'bonus':
      return `${formatUsd(amount ?? 0)} to ${investor?.name ?? 'an investor'}`
    case 'wallet':
      return wallet ? coinOnNetwork(wallet.walletName, wallet.network) : ''
    case 'settings':
      return settingsFacts(settings ?? {})
        .map(({ label, value }) => `${label}: ${value}`)
        .join('; ')
    case 'reversal':
      return request ? `${request.ref}, ${formatUsd(request.amount)}` : ''
    case 'announcement':
      return others.announcement?.subject ?? ''
    case 'operator':
      return operatorFact(others.operator)
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

/** The settings that a proposal changes, by name; whatever has no name here is shown under its own. */
export function settingsFacts(settings: Record<string, unknown>): { label: string; value: string }[] {
  return Object.entries(settings).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? settingsFacts(Object.fromEntries(Object.entries(value).map(([part, of]) => [`${key}.${part}`, of])))
      : [{ label: SETTING_LABELS[key] ?? key, value: settingValue(key, value) }],
  )
}

const SETTING_LABELS: Record<string, string> = {
  twoPersonLimit: 'Two operators above',
  kycRequired: 'Identity required',
  referralBonus: 'Referral bonus',
  liabilitiesFrom: 'Investors from which liabilities are published',
  'minimums.deposit': 'Smallest deposit',
  'minimums.withdrawal': 'Smallest withdrawal',
  'fees.performanceBasisPoints': 'Performance fee',
  'fees.subscriptionMonthly': 'Monthly subscription',
  'retention.documentDays': 'Documents kept after closing',
  'retention.personDays': 'Person kept after closing',
  'retention.rejectedDocumentDays': 'Rejected documents kept',
}

function settingValue(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'number') return String(value)
  if (key === 'liabilitiesFrom') return String(value)
  if (key.startsWith('retention.')) return `${value} days`
  return key === 'fees.performanceBasisPoints' ? `${(value / 100).toFixed(2)}%` : formatUsd(value)
}
