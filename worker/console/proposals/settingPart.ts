import { type SettingFacts, settingFacts } from '../../../src/contract/console/settingList.ts'
import {
  type GuardedSettings,
  keysNamed,
  nestedSettings,
  type OpenSettings,
  settingAt,
} from '../../../src/contract/console/settingValues.ts'

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
