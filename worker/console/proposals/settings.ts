import { REASON } from '../../../src/contract/console/cases.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { getSettingFacts, needsReason } from '../../../src/contract/console/settingList.ts'
import {
  getSetting,
  listKeys,
  type StoredSettings,
  toNestedSettings,
} from '../../../src/contract/console/settingValues.ts'
import { findCountryCode } from '../../../src/contract/countries.ts'
import type { ActorCall } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import {
  formatEffectiveSetting,
  getEffectiveSetting,
  parseStoredSettings,
  readSettings,
  toUsdSettings,
} from '../../platform/settings/values.ts'
import { assertOwnAddresses } from '../cases/messageToInvestor.ts'
import type { NewProposal, ProposalOfKind } from './proposal.ts'

/**
 * A proposal of the named settings. The database compares later changes with `payload`; `was` is for display. Refuses no settings, and
 * listed texts that name addresses or numbers of others, because investors read them.
 */
export async function proposeSettings(
  call: ActorCall,
  named: StoredSettings,
  reason: string | undefined,
): Promise<NewProposal> {
  const keys = listKeys(named)
  if (keys.length === 0) refuseField('settings', 'Please name at least one setting to change')
  if (reason === undefined && keys.some(needsReason)) refuseField('reason', REASON)
  for (const name of ['reasons', 'templates'] as const)
    await assertOwnAddresses(
      call,
      name,
      Object.values(named[name] ?? {})
        .flat()
        .join('\n'),
    )
  for (const [place, name] of (named.risk?.countries ?? []).entries())
    if (findCountryCode(name) === null)
      refuseField(`risk.countries.${place}`, 'Please give the name of a country, or its code of two letters')
  const [rows] = await readTogether(call.db, readSettings())
  const stored = parseStoredSettings(rows)
  const settings = toNestedSettings(new Map(keys.map((key) => [key, getSetting(named, key) ?? null])))
  const was = toNestedSettings(new Map(keys.map((key) => [key, getEffectiveSetting(stored, key)])))
  return {
    kind: 'settings',
    payload: { ...settings, was },
    current: { ...stored },
    reason: reason ?? null,
  }
}

/**
 * The proposed changes as the API answers them, with before and after in words. "Before" is the current value while the
 * proposal is pending, and the value at the time of the proposal after a decision.
 */
export function describeChanges({
  payload: { was, ...settings },
  current,
  status,
}: ProposalOfKind<'settings'>): Pick<Proposal, 'settings' | 'changes'> {
  const keys = listKeys(settings)
  const before = status === 'pending' ? current : was
  return {
    settings: toUsdSettings(keys, settings),
    changes: keys.map((key) => ({
      setting: key,
      label: getSettingFacts(key).label,
      before: formatEffectiveSetting(before, key),
      after: formatEffectiveSetting(settings, key),
    })),
  }
}
