import { UNLISTED_REASON } from '../../../src/contract/console/cases.ts'
import { type CaseWords, fillPlaceholders } from '../../../src/contract/console/placeholders.ts'
import type { ReasonKind } from '../../../src/contract/console/settingList.ts'
import { formatCents } from '../../../src/contract/money.ts'
import type { ActorCall } from '../../http/call.ts'
import { refuseField } from '../../lib/errors.ts'
import { parseStoredSettings, toSettings } from '../../platform/settings/values.ts'
import { assertOwnAddresses } from './messageToInvestor.ts'

interface ToldReason {
  /** The text for investors. */
  readonly told: string
  /** A note that only operators read; null if there is none. */
  readonly note: string | null
}

/**
 * Returns the reason of a decision for investors. One operator's own words are no mail of ours: only a reason from the settings'
 * list is told, filled in from the case, and any other is kept as a note for operators. Refuses foreign addresses and numbers in both, and the unlisted
 * reason without a note.
 */
export async function tellReason(
  call: ActorCall,
  kind: ReasonKind,
  settings: Parameters<typeof parseStoredSettings>[0],
  { reason, internalNote }: { readonly reason: string; readonly internalNote?: string | undefined },
  words: CaseWords,
): Promise<ToldReason> {
  const listed = toSettings(parseStoredSettings(settings)).reasons[kind]
  if (listed.some((text) => fillPlaceholders(text, words) === reason))
    return { told: reason, note: internalNote ?? null }
  if (reason === UNLISTED_REASON) {
    if (internalNote === undefined)
      refuseField('internalNote', 'Please note why. The message to the investor does not say it')
    return { told: reason, note: internalNote }
  }
  await assertOwnAddresses(call, 'reason', reason)
  return { told: UNLISTED_REASON, note: internalNote === undefined ? reason : `${reason} ${internalNote}` }
}

/** The words of a case for the placeholders of a reason. */
export function listReasonWords(facts: {
  readonly investorName: string
  readonly ref: string
  readonly amount?: number
}): CaseWords {
  const { investorName: name, ref, amount } = facts
  return { name, ref, ...(amount !== undefined && { amount: formatCents(amount) }) }
}
