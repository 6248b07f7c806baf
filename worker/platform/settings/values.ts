import { sql } from 'drizzle-orm'
import { SETTING_KEYS, type SettingKey, settingFacts } from '../../../src/contract/console/settingList.ts'
import {
  nestedSettings,
  type Settings,
  type SettingValue,
  type StoredSettings,
  settingAt,
  settingText,
} from '../../../src/contract/console/settingValues.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type Database, type Read, reading, type Statement } from '../../lib/database.ts'
import { settings } from '../../lib/tables/operators.ts'

interface SettingRow {
  readonly key: string
  readonly value: string
}

/** Reads every stored setting. */
export function readSettings(): Read<SettingRow> {
  return reading(sql`SELECT key, value FROM settings`)
}

/** The stored settings, amounts in cents; settings that were never set are missing. */
export function storedSettings(rows: readonly SettingRow[]): StoredSettings {
  // Only `keepSetting` writes them, with values that passed the contract's schema.
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]))
}

/** The current settings with defaults, amounts in USD. */
export function settingsOf(stored: StoredSettings): Settings {
  // `SETTING_KEYS` covers every field of `Settings`.
  return inUsd(SETTING_KEYS, stored) as unknown as Settings
}

/** Some settings as the API answers them, with defaults, amounts in USD. */
export function inUsd(keys: readonly SettingKey[], stored: object): Record<string, unknown> {
  return nestedSettings(new Map(keys.map((key) => [key, usdIfAmount(key, effectiveSetting(stored, key))])))
}

/** The stored value of a setting or its default, in the unit of the list. */
export function effectiveSetting(stored: object, key: SettingKey): SettingValue {
  return settingAt(stored, key) ?? settingFacts(key).default
}

/** The same as text: `$5,000.00`. */
export function effectiveSettingText(stored: object, key: SettingKey): string {
  return settingText(key, usdIfAmount(key, effectiveSetting(stored, key)))
}

/** How long data of closed accounts and rejected documents is kept; `stored` is the setting's JSON. */
export function retentionOf(stored: string | null | undefined): Settings['retention'] {
  return settingsOf(stored ? { retention: JSON.parse(stored) } : {}).retention
}

function usdIfAmount(key: SettingKey, value: SettingValue): SettingValue {
  return settingFacts(key).unit === 'cents' && typeof value === 'number' ? usdOf(value) : value
}

/**
 * Stores one setting. Parts of a group (`minimums`, `reasons`) are merged in SQL, so that no concurrent change is overwritten.
 * The database requires an approved proposal.
 */
export function keepSetting(
  db: Database,
  key: string,
  value: unknown,
  proposal: string,
  nowMs: number,
): Statement {
  const json = JSON.stringify(value)
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
  return db
    .insert(settings)
    .values({ key, value: json, proposal, updatedAt: nowMs })
    .onConflictDoUpdate({
      target: settings.key,
      set: {
        value: isGroup ? sql`json_patch(${settings.value}, ${json})` : json,
        proposal,
        updatedAt: nowMs,
      },
    })
}
