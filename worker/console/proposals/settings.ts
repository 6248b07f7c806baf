import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { type SettingFacts, settingFacts } from '../../../src/contract/console/settingList.ts'
import {
  type GuardedSettings,
  keysNamed,
  nestedSettings,
  type OpenSettings,
  settingAt,
} from '../../../src/contract/console/settingValues.ts'
import { effectiveSetting, effectiveSettingText, inUsd } from '../../platform/settings/values.ts'
import type { Proposed } from './proposal.ts'

/** The named settings that one administrator may change at once; null if there is none. */
export function openPart(body: object): OpenSettings | null {
  return part(body, 'open')
}

/** The named settings that need two operators; null if there is none. */
export function guardedPart(body: object): GuardedSettings | null {
  return part(body, 'guarded')
}

function part(body: object, change: SettingFacts['change']): Record<string, unknown> | null {
  const keys = keysNamed(body).filter((key) => settingFacts(key).change === change)
  return keys.length === 0
    ? null
    : nestedSettings(new Map(keys.map((key) => [key, settingAt(body, key) ?? null])))
}

/** A proposal of settings: the proposed values and the values at the time of the proposal. Amounts in cents. */
interface ProposedSettings {
  readonly settings: GuardedSettings
  /** Missing in older proposals. */
  readonly was?: object | undefined
}

/** A proposal of settings. The database compares later changes with `payload`; `was` is for display. */
export function settingsProposal(
  settings: GuardedSettings,
  stored: object,
  reason: string | undefined,
): Proposed {
  const was = nestedSettings(new Map(keysNamed(settings).map((key) => [key, effectiveSetting(stored, key)])))
  return {
    kind: 'settings',
    payload: JSON.stringify({ ...settings, was }),
    currentSettings: JSON.stringify(stored),
    reason: reason ?? null,
  }
}

export function proposedSettings({ payload }: { readonly payload: string }): ProposedSettings {
  const { was, ...settings } = JSON.parse(payload) as GuardedSettings & { was?: object }
  return { settings, was }
}

/**
 * The proposed changes as the API answers them, with before and after in words. "Before" is the current value while the
 * proposal is pending, and the value at the time of the proposal after a decision.
 */
export function changesOf(
  { settings, was }: ProposedSettings,
  stored: object | null,
): Required<Pick<Proposal, 'settings' | 'changes'>> {
  const keys = keysNamed(settings)
  const before = stored ?? was
  return {
    settings: inUsd(keys, settings),
    changes: keys.map((key) => ({
      setting: key,
      label: settingFacts(key).label,
      ...(before !== undefined && { before: effectiveSettingText(before, key) }),
      after: effectiveSettingText(settings, key),
    })),
  }
}
