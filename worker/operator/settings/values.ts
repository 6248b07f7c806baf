import { sql } from 'drizzle-orm'
import { usdOf } from '../../../src/contract/money.ts'
import { DEFAULT_SETTINGS } from '../../../src/contract/operator/defaultSettings.ts'
import type { GuardedSettings, OpenSettings } from '../../../src/contract/operator/settingRules.ts'
import type { Settings } from '../../../src/contract/operator/settings.ts'
import { type Database, type Read, reading, type Statement } from '../../lib/database.ts'
import { settings } from '../tables.ts'

interface SettingRow {
  readonly key: string
  readonly value: string
}

/** What is stored, by key; amounts in cents. */
interface Stored extends OpenSettings, GuardedSettings {}

/** Every setting that was ever set. */
export function readSettings(): Read<SettingRow> {
  return reading(sql`SELECT key, value FROM settings`)
}

/** What was set, with amounts in cents; what never was is missing. */
export function storedSettings(rows: readonly SettingRow[]): Stored {
  // Written only by `keepSetting`, with values that passed the contract's schema.
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)])) as Stored
}

/** The settings as they stand, with what holds where nobody set anything. Amounts in USD. */
export function settingsOf(stored: Stored): Settings {
  return {
    messagingNumber: stored.messagingNumber ?? null,
    supportAddress: stored.supportAddress ?? null,
    reasons: stored.reasons ?? DEFAULT_REASONS,
    twoPersonLimit: usdOf(stored.twoPersonLimit ?? DEFAULT_SETTINGS.twoPersonLimitCents),
    kycRequired: stored.kycRequired ?? DEFAULT_SETTINGS.kycRequired,
    referralBonus: usdOf(stored.referralBonus ?? DEFAULT_SETTINGS.referralBonusCents),
    liabilitiesFrom: stored.liabilitiesFrom ?? DEFAULT_SETTINGS.liabilitiesFrom,
    minimums: {
      deposit: usdOf(stored.minimums?.deposit ?? DEFAULT_SETTINGS.minimumCents.deposit),
      withdrawal: usdOf(stored.minimums?.withdrawal ?? DEFAULT_SETTINGS.minimumCents.withdrawal),
    },
    fees: {
      performanceBasisPoints: stored.fees?.performanceBasisPoints ?? DEFAULT_SETTINGS.performanceBasisPoints,
      subscriptionMonthly: usdOf(
        stored.fees?.subscriptionMonthly ?? DEFAULT_SETTINGS.subscriptionMonthlyCents,
      ),
    },
    retention: retentionOf(stored.retention),
  }
}

/** How long what is kept of a closed account, and a rejected document, is kept. */
export function retentionOf(stored: GuardedSettings['retention']): Settings['retention'] {
  const { documentDays, personDays, rejectedDocumentDays } = DEFAULT_SETTINGS.retention
  return {
    documentDays: stored?.documentDays ?? documentDays,
    personDays: stored?.personDays ?? personDays,
    rejectedDocumentDays: stored?.rejectedDocumentDays ?? rejectedDocumentDays,
  }
}

/** What a proposal would change, as the API answers it: amounts in USD, only what it names. */
export function guardedInUsd(guarded: GuardedSettings): Record<string, unknown> {
  const all = settingsOf(guarded)
  const { minimums, fees, retention } = guarded
  return {
    ...pick(all, definedKeys(guarded)),
    ...(minimums && { minimums: pick(all.minimums, definedKeys(minimums)) }),
    ...(fees && { fees: pick(all.fees, definedKeys(fees)) }),
    ...(retention && { retention: pick(all.retention, definedKeys(retention)) }),
  }
}

const DEFAULT_REASONS = [
  'The picture is blurred or cut off. Please send a sharp one that shows the whole document.',
  'The document has expired.',
  'The name on the document is not the name of the account.',
  'The payment has not arrived.',
  'The receipt does not belong to this payment.',
  'The destination cannot be paid. Please check it and ask again.',
]

/**
 * Sets one setting. Parts of a group (`minimums`, `fees`, `retention`) join what stands, where nothing can come between: in SQL. A
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

function definedKeys<T extends object>(value: T): (keyof T)[] {
  return (Object.keys(value) as (keyof T)[]).filter((key) => value[key] !== undefined)
}

function pick<T extends object, K extends PropertyKey>(from: T, keys: readonly K[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(from).filter(([key]) => (keys as readonly PropertyKey[]).includes(key)),
  ) as Partial<T>
}
