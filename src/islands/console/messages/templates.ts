import type { ContactMessage, MentionedCase } from '../../../contract/console/messages.ts'
import { type CaseWords, fillPlaceholders, findPlaceholder } from '../../../contract/console/placeholders.ts'
import type { TemplateKind } from '../../../contract/console/settingList.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { formatUsd } from '../../../contract/money.ts'

/** Whether a list of templates is offered because of a case that the message mentions. */
const OFFERED_FOR: Readonly<Partial<Record<TemplateKind, (about: MentionedCase) => boolean>>> = {
  depositPending: ({ kind, status }) => kind === 'deposit' && status === 'pending',
  depositDecided: ({ kind, status }) => kind === 'deposit' && status !== 'pending',
  withdrawalPending: ({ kind, status }) => kind === 'withdrawal' && status === 'pending',
  withdrawalApproved: ({ kind, status }) => kind === 'withdrawal' && status === 'approved',
  withdrawalDecided: ({ kind, status }) =>
    kind === 'withdrawal' && status !== 'pending' && status !== 'approved',
}

/** The settings' templates that apply to a message, filled in from its writer and their case. */
export function listTemplates(templates: Settings['templates'], message: ContactMessage): string[] {
  const { name, investor, mentioned = [] } = message
  return (Object.keys(templates) as TemplateKind[]).flatMap((kind) => {
    const isOffered = OFFERED_FOR[kind]
    if (kind === 'account' && investor === null) return []
    // Only a case of the writer: a stranger could name another investor's reference.
    const about = isOffered && mentioned.find((found) => found.isTheirs && isOffered(found))
    if (isOffered && about === undefined) return []
    const words = { name, ...(about && listCaseWords(about)) }
    return templates[kind]
      .map((text) => fillPlaceholders(text, words))
      .filter((text) => findPlaceholder(text) === undefined)
  })
}

function listCaseWords({ kind, ref, amount, status }: MentionedCase): CaseWords {
  return {
    ref,
    status:
      kind === 'deposit' && status === 'approved' ? 'credited' : status === 'completed' ? 'paid' : status,
    ...(amount !== null && { amount: formatUsd(amount) }),
  }
}
