import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { type SettingFacts, settingFacts } from '../../../src/contract/console/settingList.ts'
import {
  type GuardedSettings,
  keysNamed,
  nestedSettings,
  type OpenSettings,
  settingAt,
} from '../../../src/contract/console/settingValues.ts'
import { inUsd, standing, standingText } from '../../platform/settings/values.ts'
import type { Proposed } from './proposal.ts'

/** The settings among these that one administrator changes at once, without what was left out; null when none is named. */
export function openPart(body: object): OpenSettings | null {
  return part(body, 'open')
}

/** Those that need two. */
export function guardedPart(body: object): GuardedSettings | null {
  return part(body, 'guarded')
}

function part(body: object, change: SettingFacts['change']): Record<string, unknown> | null {
  const keys = keysNamed(body).filter((key) => settingFacts(key).change === change)
  return keys.length === 0
    ? null
    : nestedSettings(new Map(keys.map((key) => [key, settingAt(body, key) ?? null])))
}

/** What a proposal of settings keeps: what would hold, and what held when it was proposed. Amounts in cents. */
interface ProposedSettings {
  readonly settings: GuardedSettings
  /** Missing in proposals from before it was kept. */
  readonly was?: object | undefined
}

/** The facts of a proposal of settings: they will hold as `payload` has them, which the database compares, beside `was`. */
export function settingsProposal(
  settings: GuardedSettings,
  stored: object,
  reason: string | undefined,
): Proposed {
  const was = nestedSettings(new Map(keysNamed(settings).map((key) => [key, standing(stored, key)])))
  return {
    kind: 'settings',
    payload: JSON.stringify({ ...settings, was }),
    standing: JSON.stringify(stored),
    reason: reason ?? null,
  }
}

export function proposedSettings({ payload }: { readonly payload: string }): ProposedSettings {
  const { was, ...settings } = JSON.parse(payload) as GuardedSettings & { was?: object }
  return { settings, was }
}

/**
 * What a proposal would change, as the API answers it; each also in words, before and after. Before is what holds now
 * while it is pending, and what held when it was proposed once it is decided.
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
      ...(before !== undefined && { before: standingText(before, key) }),
      after: standingText(settings, key),
    })),
  }
}
