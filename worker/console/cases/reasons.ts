import type { ReasonKind } from '../../../src/contract/console/settingList.ts'
import type { ActorCall } from '../../http/call.ts'
import type { Statement } from '../../lib/database.ts'
import { settingsOf, storedSettings } from '../../platform/settings/values.ts'
import { addInternalNote } from './internalNote.ts'
import { assertOwnAddresses } from './messageToInvestor.ts'

/** What an investor reads in place of a reason that is not on the list. */
const UNLISTED_REASON = 'Please write to us if you want to know why.'

interface ToldReason {
  /** What the investor reads. */
  readonly told: string
  /** Keeps a reason that is not on the list as a note for operators. */
  readonly statements: readonly Statement[]
}

/**
 * What an investor is told as the reason of a decision. One operator's own words are no mail of ours: only a reason from the
 * settings' list is told, and any other is kept as a note about the investor. Refuses foreign addresses and numbers in both.
 */
export async function tellReason(
  call: ActorCall,
  kind: ReasonKind,
  settings: Parameters<typeof storedSettings>[0],
  { reason, ref, investor }: { readonly reason: string; readonly ref: string; readonly investor: string },
): Promise<ToldReason> {
  if (settingsOf(storedSettings(settings)).reasons[kind].includes(reason))
    return { told: reason, statements: [] }
  await assertOwnAddresses(call, 'reason', reason)
  return {
    told: UNLISTED_REASON,
    statements: [addInternalNote(call, investor, `${ref} rejected: ${reason}`)],
  }
}
