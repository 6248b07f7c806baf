import type { ContactMessage, Situation } from '../../../contract/console/messages.ts'
import { type CaseWords, fillPlaceholders, findPlaceholder } from '../../../contract/console/placeholders.ts'
import type { TemplateKind } from '../../../contract/console/settingList.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { formatDateTime } from '../../../contract/dates.ts'
import { formatUsd } from '../../../contract/money.ts'

/** The templates that fit one part of the writer's state, filled in. */
export interface TemplateGroup {
  /** "Withdrawal WDR-7K3M9Q2X, pending". */
  readonly label: string
  readonly texts: readonly string[]
}

/** The list of templates about one part of an account's state, or null if no list is. */
function findTemplateKind({ kind, status, until }: Situation): TemplateKind | null {
  switch (kind) {
    case 'deposit':
      return status === 'pending' ? 'depositPending' : 'depositDecided'
    case 'withdrawal':
      if (status === 'pending') return until === null ? 'withdrawalPending' : 'withdrawalHeld'
      if (status === 'approved') return until === null ? 'withdrawalApproved' : 'withdrawalHeld'
      return 'withdrawalDecided'
    case 'kyc':
      return status === 'pending' ? 'identityPending' : status === 'rejected' ? 'identityRejected' : null
    case 'factor_recovery':
      return 'factorLost'
    case 'lock':
      return 'accountLocked'
  }
}

/**
 * The settings' templates that fit a message, filled in: about the cases that it mentions first, then about the state of its writer's
 * account, then those for any message.
 */
export function listTemplates(
  templates: Settings['templates'],
  { name, investor, mentioned = [], situation = [] }: ContactMessage,
): TemplateGroup[] {
  const refs = new Set(mentioned.map(({ ref }) => ref))
  const states = [
    ...situation.filter(({ ref }) => ref !== null && refs.has(ref)),
    ...situation.filter(({ ref }) => ref === null || !refs.has(ref)),
  ]
  const fill = (kind: TemplateKind, words: CaseWords) =>
    templates[kind]
      .map((text) => fillPlaceholders(text, { name, ...words }))
      .filter((text) => findPlaceholder(text) === undefined)
  return [
    ...states.map((state) => {
      const kind = findTemplateKind(state)
      return { label: describeState(state), texts: kind === null ? [] : fill(kind, listStateWords(state)) }
    }),
    { label: 'The account', texts: investor === null ? [] : fill('account', {}) },
    { label: 'Any message', texts: fill('general', {}) },
  ].filter(({ texts }) => texts.length > 0)
}

const NOUNS: Record<Situation['kind'], string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  kyc: 'Document',
  factor_recovery: 'Lost second factor',
  lock: 'Account',
}

/** A part of an account's state: "Withdrawal WDR-7K3M9Q2X, pending, Jan 31, 2026". */
export function describeState(state: Situation): string {
  const { kind, ref, until, at } = state
  const filed = at === undefined ? '' : `, ${formatDateTime(at, 'date', 'UTC')}`
  return `${NOUNS[kind]}${ref === null ? '' : ` ${ref}`}, ${until === null ? describeStatus(state) : 'delayed'}${filed}`
}

function describeStatus({ kind, status }: Situation): string {
  if (kind === 'deposit' && status === 'approved') return 'credited'
  return status === 'completed' ? 'paid' : status
}

function listStateWords(state: Situation): CaseWords {
  const { ref, amount, until } = state
  return {
    status: describeStatus(state),
    ...(ref !== null && { ref }),
    ...(amount !== null && { amount: formatUsd(amount) }),
    ...(until !== null && { until: `${formatDateTime(until, 'both', 'UTC')} UTC` }),
  }
}
