import { patchSettings as endpoint } from '../../../src/contract/console/settings.ts'
import { keysNamed, type OpenSettings } from '../../../src/contract/console/settingValues.ts'
import { accepted, ok, route } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { keepSetting, readSettings, settingsOf, storedSettings } from '../../platform/settings/values.ts'
import { assertOwnAddresses } from '../cases/messageToInvestor.ts'
import { fileProposal } from './proposal.ts'
import { guardedPart, openPart, settingsProposal } from './settings.ts'

/**
 * Changes settings. Lists of reasons change at once (200, the settings); everything else becomes a proposal that another
 * operator decides (202, the proposal).
 */
export const changeSettings = route(endpoint, async (call) => {
  const { db, nowMs, body } = call
  const open = openPart(body)
  const guarded = guardedPart(body)
  if (open === null && guarded === null)
    refuse('validation_failed', { msg: 'Please name at least one setting to change.' })
  // Investors read the listed reasons.
  await assertOwnAddresses(
    call,
    'reasons',
    Object.values(open?.reasons ?? {})
      .flat()
      .join('\n'),
  )
  const kept = Object.entries(open ?? {}).map(([key, value]) => keepSetting(db, key, value, null, nowMs))
  const changed = keysNamed(open ?? {}).map((key) => ({ action: 'settings.changed' as const, subject: key }))
  const [rows] = await readTogether(db, readSettings())
  const stored = storedSettings(rows)
  if (guarded !== null) {
    const proposed = settingsProposal(guarded, stored, body.reason)
    return fileProposal(call, { ...proposed, alongside: () => kept, alsoAudit: changed }, accepted)
  }
  return call.commit({ statements: kept, audit: changed, answer: ok(settingsOf(merged(stored, open ?? {}))) })
})

/** The settings after the change. In a group only the named parts change. */
function merged(stored: OpenSettings, changed: OpenSettings): OpenSettings {
  return {
    ...stored,
    ...changed,
    ...(changed.reasons && { reasons: { ...stored.reasons, ...changed.reasons } }),
  }
}
