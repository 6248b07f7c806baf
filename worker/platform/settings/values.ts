import { sql } from 'drizzle-orm'
import { getSettingFacts, SETTING_KEYS, type SettingKey } from '../../../src/contract/console/settingList.ts'
import {
  formatSetting,
  getSetting,
  type Settings,
  type SettingValue,
  type StoredSettings,
  toNestedSettings,
} from '../../../src/contract/console/settingValues.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type Database, type RowOf, type Statement, selectRows } from '../../lib/database.ts'
import { settings } from '../../lib/tables/operators.ts'

/** Reads every stored setting. */
export function readSettings() {
  return selectRows({ key: settings.key, value: settings.value }).from(settings)
}

/** The stored settings, amounts in cents; settings that were never set are missing. */
export function parseStoredSettings(rows: readonly RowOf<typeof readSettings>[]): StoredSettings {
  // Only `storeSetting` writes them, with values that passed the contract's schema.
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]))
}

/** The current settings with defaults, amounts in USD. */
export function toSettings(stored: StoredSettings): Settings {
  // `SETTING_KEYS` covers every field of `Settings`.
  return toUsdSettings(SETTING_KEYS, stored) as unknown as Settings
}

/** Some settings as the API answers them, with defaults, amounts in USD. */
export function toUsdSettings(keys: readonly SettingKey[], stored: object): Record<string, unknown> {
  return toNestedSettings(
    new Map(keys.map((key) => [key, toUsdIfAmount(key, getEffectiveSetting(stored, key))])),
  )
}

/** The stored value of a setting or its default, in the unit of the list. */
export function getEffectiveSetting(stored: object, key: SettingKey): SettingValue {
  return getSetting(stored, key) ?? getSettingFacts(key).default
}

/** The same as text: `$5,000.00`. */
export function formatEffectiveSetting(stored: object, key: SettingKey): string {
  return formatSetting(key, toUsdIfAmount(key, getEffectiveSetting(stored, key)))
}

/** How long data of closed accounts and rejected documents is kept; `stored` is the setting's JSON. */
export function parseRetention(stored: string | null | undefined): Settings['retention'] {
  return toSettings(stored ? { retention: JSON.parse(stored) } : {}).retention
}

function toUsdIfAmount(key: SettingKey, value: SettingValue): SettingValue {
  return getSettingFacts(key).unit === 'cents' && typeof value === 'number' ? toUsd(value) : value
}

/**
 * Stores one setting. Parts of a group (`minimums`, `reasons`) are merged in SQL, so that no concurrent change is overwritten.
 * The database requires an approved proposal.
 */
export function storeSetting(
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
