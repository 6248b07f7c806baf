import { sql } from 'drizzle-orm'
import {
  type ReasonKind,
  SETTING_KEYS,
  type SettingKey,
  settingFacts,
} from '../../../src/contract/console/settingList.ts'
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

/** Every setting that was ever set. */
export function readSettings(): Read<SettingRow> {
  return reading(sql`SELECT key, value FROM settings`)
}

/** What was set, with amounts in cents; what never was is missing. */
export function storedSettings(rows: readonly SettingRow[]): StoredSettings {
  // Written only by `keepSetting`, with values that passed the contract's schema.
  return Object.fromEntries(
    rows.map(({ key, value }) => [
      key,
      key === 'reasons' ? reasonsByKind(JSON.parse(value)) : JSON.parse(value),
    ]),
  )
}

/** The settings as they stand, with what holds where nobody set anything. Amounts in USD. */
export function settingsOf(stored: StoredSettings): Settings {
  // The keys are all of the list's.
  return inUsd(SETTING_KEYS, stored) as unknown as Settings
}

/** Some settings as the API answers them, amounts in USD: what is stored, or the default. */
export function inUsd(keys: readonly SettingKey[], stored: object): Record<string, unknown> {
  return nestedSettings(new Map(keys.map((key) => [key, usdIfAmount(key, standing(stored, key))])))
}

/** What holds of a setting, in the unit of the list. */
export function standing(stored: object, key: SettingKey): SettingValue {
  return settingAt(stored, key) ?? settingFacts(key).default
}

/** The same in words: `$5,000.00`. */
export function standingText(stored: object, key: SettingKey): string {
  return settingText(key, usdIfAmount(key, standing(stored, key)))
}

/** How long what is kept of a closed account, and a rejected document, is kept; `stored` is the setting's JSON. */
export function retentionOf(stored: string | null | undefined): Settings['retention'] {
  return settingsOf(stored ? { retention: JSON.parse(stored) } : {}).retention
}

function usdIfAmount(key: SettingKey, value: SettingValue): SettingValue {
  return settingFacts(key).unit === 'cents' && typeof value === 'number' ? usdOf(value) : value
}

/** Reasons were one list for every kind of decision once, and stand so where nobody changed them since. */
function reasonsByKind(stored: unknown): unknown {
  return Array.isArray(stored) ? Object.fromEntries(PLAIN_LIST_KINDS.map((kind) => [kind, stored])) : stored
}

/** The decisions that offered the one list. */
const PLAIN_LIST_KINDS = [
  'depositRejection',
  'withdrawalRejection',
  'identityRejection',
  'freeze',
] as const satisfies readonly ReasonKind[]

const SAME_LIST = sql.raw(
  `json_object(${PLAIN_LIST_KINDS.map((kind) => `'${kind}', json(settings.value)`).join(', ')})`,
)

/**
 * Sets one setting. Parts of a group (`minimums`, `reasons`) join what stands, where nothing can come between: in SQL. A
 * guarded one needs the approved proposal that changes it, which the database demands.
 */
export function keepSetting(
  db: Database,
  key: string,
  value: unknown,
  proposal: string | null,
  nowMs: number,
): Statement {
  const json = JSON.stringify(value)
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
  const before = sql`CASE json_type(${settings.value}) WHEN 'array' THEN ${SAME_LIST} ELSE ${settings.value} END`
  return db
    .insert(settings)
    .values({ key, value: json, proposal, updatedAt: nowMs })
    .onConflictDoUpdate({
      target: settings.key,
      set: {
        value: isGroup ? sql`json_patch(${before}, ${json})` : json,
        proposal,
        updatedAt: nowMs,
      },
    })
}
