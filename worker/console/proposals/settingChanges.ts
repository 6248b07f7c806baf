import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { settingFacts } from '../../../src/contract/console/settingList.ts'
import {
  type GuardedSettings,
  keysNamed,
  nestedSettings,
} from '../../../src/contract/console/settingValues.ts'
import { inUsd, standing, standingText } from '../../platform/settings/values.ts'

/** What a proposal of settings keeps: what would hold, and what held when it was proposed. Amounts in cents. */
export interface ProposedSettings {
  readonly settings: GuardedSettings
  /** Missing in proposals from before it was kept. */
  readonly was?: object | undefined
}

/** The payload of a proposal: settings by key as they will stand, which the database compares, and beside them `was`. */
export function payloadOf(settings: GuardedSettings, stored: object): string {
  const was = nestedSettings(new Map(keysNamed(settings).map((key) => [key, standing(stored, key)])))
  return JSON.stringify({ ...settings, was })
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
