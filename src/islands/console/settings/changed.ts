import { type SettingKey, settingFacts } from '../../../contract/console/settingList.ts'
import {
  type Settings,
  type SettingValue,
  settingAt,
  settingText,
} from '../../../contract/console/settingValues.ts'

/** One setting that was changed, in words. */
export interface Change {
  label: string
  before: string
  after: string
}

/** What was done about some settings. */
export interface Done {
  /** `changed` holds from now on, `proposed` waits for another administrator. */
  how: 'changed' | 'proposed'
  changes: readonly Change[]
  /** What held before, as it would be sent again. */
  before: ReadonlyMap<SettingKey, SettingValue>
  /** The proposal, where it became one. */
  proposal: string | null
}

export function changesInWords(
  changes: ReadonlyMap<SettingKey, SettingValue>,
  settings: Settings,
): readonly Change[] {
  return [...changes].map(([key, value]) => ({
    label: settingFacts(key).label,
    ...inWords(key, settingAt(settings, key) ?? null, value),
  }))
}

// A list is told by its length: its sentences stand above and below.
function inWords(key: SettingKey, before: SettingValue, after: SettingValue): Omit<Change, 'label'> {
  if (!Array.isArray(before) || !Array.isArray(after))
    return { before: settingText(key, before), after: settingText(key, after) }
  const isSameLength = before.length === after.length
  return {
    before: `${before.length} reasons`,
    after: isSameLength ? 'in other words or another order' : `${after.length} reasons`,
  }
}

/** The values that these settings have now. */
export function valuesNow(
  keys: Iterable<SettingKey>,
  settings: Settings,
): ReadonlyMap<SettingKey, SettingValue> {
  return new Map([...keys].map((key) => [key, settingAt(settings, key) ?? null]))
}
