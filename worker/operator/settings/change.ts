import type { Proposal } from '../../../src/contract/operator/proposals.ts'
import type { GuardedSettings, OpenSettings } from '../../../src/contract/operator/settingRules.ts'
import type { Settings } from '../../../src/contract/operator/settings.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { insertProposal, newProposal, proposalRow } from '../proposals/proposal.ts'
import { guardedPart } from './guarded.ts'
import { keepSetting, readSettings, settingsOf, storedSettings } from './values.ts'

/**
 * Changes settings: contact details and reasons at once (200, the settings), everything else as a proposal that another
 * operator decides (202, the proposal).
 */
export async function changeSettings(
  call: CheckedCall<OpenSettings & GuardedSettings, unknown> & ActorCall,
): Promise<Answer<Settings | Proposal>> {
  const { db, actor, nowMs, body } = call
  const open = openPart(body)
  const guarded = guardedPart(body)
  if (Object.keys(open).length === 0 && guarded === null)
    refuse('validation_failed', { msg: 'Please name at least one setting to change.' })
  const kept = Object.entries(open).map(([key, value]) => keepSetting(db, key, value, null, nowMs))
  const changed = Object.keys(open).map((key) => ({ action: 'settings.changed', subject: key }))
  if (guarded !== null) {
    const proposal = newProposal(call, { kind: 'settings', payload: JSON.stringify(guarded) })
    await call.commit({
      statements: [...kept, insertProposal(db, proposal)],
      audit: [
        ...changed,
        { action: 'proposal.created', subject: proposal.id, detail: { kind: proposal.kind } },
      ],
    })
    return accepted(proposalRow({ ...proposal, proposedByName: actor.name }))
  }
  const [rows] = await readTogether(db, readSettings())
  await call.commit({ statements: kept, audit: changed })
  return ok(settingsOf({ ...storedSettings(rows), ...open }))
}

// An empty text means "none", as null does.
function openPart({ messagingNumber, supportAddress, reasons }: OpenSettings): OpenSettings {
  return {
    ...(messagingNumber !== undefined && { messagingNumber: messagingNumber || null }),
    ...(supportAddress !== undefined && { supportAddress: supportAddress || null }),
    ...(reasons !== undefined && { reasons }),
  }
}
