import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { patchSettings } from '../../../src/contract/console/settings.ts'
import { keysNamed, type OpenSettings, type Settings } from '../../../src/contract/console/settingValues.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { keepSetting, readSettings, settingsOf, storedSettings } from '../../platform/settings/values.ts'
import { insertProposal, newProposal, proposalRow } from './proposal.ts'
import { payloadOf } from './settingChanges.ts'
import { guardedPart, openPart } from './settingPart.ts'

/**
 * Changes settings: lists of reasons at once (200, the settings), everything else as a proposal that another
 * operator decides (202, the proposal).
 */
export async function changeSettings(
  call: CheckedCall<BodyOf<typeof patchSettings>, unknown> & ActorCall,
): Promise<Answer<Settings | Proposal>> {
  const { db, actor, nowMs, body } = call
  const open = openPart(body)
  const guarded = guardedPart(body)
  if (open === null && guarded === null)
    refuse('validation_failed', { msg: 'Please name at least one setting to change.' })
  const kept = Object.entries(open ?? {}).map(([key, value]) => keepSetting(db, key, value, null, nowMs))
  const changed = keysNamed(open ?? {}).map((key) => ({ action: 'settings.changed', subject: key }))
  const [rows] = await readTogether(db, readSettings())
  const stored = storedSettings(rows)
  if (guarded !== null) {
    const act = { about: JSON.stringify(guarded) }
    await assertFactor(call, act)
    const proposal = newProposal(call, {
      kind: 'settings',
      payload: payloadOf(guarded, stored),
      ...(body.reason !== undefined && { reason: body.reason }),
      standing: JSON.stringify(stored),
    })
    const answer = accepted(proposalRow({ ...proposal, proposedByName: actor.displayName }))
    await commitWithFactor(call, act, {
      statements: [...kept, insertProposal(db, proposal)],
      audit: [
        ...changed,
        { action: 'proposal.created', subject: proposal.id, detail: { kind: proposal.kind } },
      ],
      answer,
    })
    return answer
  }
  const answer = ok(settingsOf(joined(stored, open ?? {})))
  await call.commit({ statements: kept, audit: changed, answer })
  return answer
}

/** What stands with what was changed: of a group, only the parts that were. */
function joined(stored: OpenSettings, changed: OpenSettings): OpenSettings {
  return {
    ...stored,
    ...changed,
    ...(changed.reasons && { reasons: { ...stored.reasons, ...changed.reasons } }),
  }
}
