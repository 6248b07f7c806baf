import * as z from 'zod/mini'
import { getSettingFacts, type SettingKey } from '../../../contract/console/settingList.ts'
import { createRule } from '../../../contract/console/settingRules.ts'
import type { patchSettings } from '../../../contract/console/settings.ts'
import {
  getSetting,
  type Settings,
  type SettingValue,
  toNestedSettings,
} from '../../../contract/console/settingValues.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { toUsd } from '../../../contract/money.ts'

/** The input of the form: settings by key, and the reason. */
export type SettingsInput = Readonly<Record<string, string | undefined>>

/** The current values as initial input of the form. */
export function buildInitialInput(keys: readonly SettingKey[], settings: Settings): Record<string, string> {
  return Object.fromEntries(
    keys.map((key) => [key, formatSettingInput(key, getSetting(settings, key) ?? null)]),
  )
}

function formatSettingInput(key: SettingKey, value: SettingValue): string {
  if (typeof value !== 'number') return String(value ?? '')
  const { unit } = getSettingFacts(key)
  if (unit === 'cents') return value.toFixed(2)
  return unit === 'basis points' ? (value / 100).toFixed(2) : String(value)
}

/** Validates the form by the contract's rules. If no setting changes, the error is shown at the first field. */
export function buildSettingsSchema(keys: readonly SettingKey[], settings: Settings) {
  const shape = Object.fromEntries(keys.map((key) => [key, buildFieldSchema(key)]))
  return z.object({ ...shape, reason: z.optional(z.string()) }).check(
    z.refine((typed) => collectChanges(keys, typed as SettingsInput, settings).size > 0, {
      error: keys.length === 1 ? 'This is the current value' : 'Please change at least one setting',
      path: [keys[0] ?? 'reason'],
    }),
  ) as unknown as z.ZodMiniType<SettingsInput, SettingsInput>
}

function buildFieldSchema(key: SettingKey) {
  return z.pipe(
    z.string(),
    z.transform((typed, context) => {
      const read = readTyped(key, typed)
      if ('problem' in read) context.issues.push({ code: 'custom', message: read.problem, input: typed })
      return typed
    }),
  )
}

/** The settings that differ from the current values. */
export function collectChanges(
  keys: readonly SettingKey[],
  typed: SettingsInput,
  settings: Settings,
): ReadonlyMap<SettingKey, SettingValue> {
  const changes = new Map<SettingKey, SettingValue>()
  for (const key of keys) {
    const read = readTyped(key, typed[key] ?? '')
    if ('value' in read && read.value !== getSetting(settings, key)) changes.set(key, read.value)
  }
  return changes
}

/** Changes as the body of the endpoint. */
export function buildPatchBody(
  changes: ReadonlyMap<SettingKey, SettingValue>,
  reason?: string,
): InputOf<typeof patchSettings> {
  return { ...toNestedSettings(changes), ...(reason && { reason }) } as InputOf<typeof patchSettings>
}

function readTyped(key: SettingKey, typed: string): { value: SettingValue } | { problem: string } {
  const { unit } = getSettingFacts(key)
  const found = z.safeParse(createRule(key), parseSettingInput(key, typed.trim()))
  if (!found.success) {
    return {
      problem:
        unit === 'basis points'
          ? 'Please enter a percentage from 0 to 100, with at most two decimals'
          : (found.error.issues[0]?.message ?? 'Please check this value'),
    }
  }
  const value = found.data as SettingValue
  return { value: unit === 'cents' && typeof value === 'number' ? toUsd(value) : value }
}

/** Converts input for the contract's rule. Text that is not a number becomes NaN, which the rule refuses. */
function parseSettingInput(key: SettingKey, typed: string): unknown {
  switch (getSettingFacts(key).unit) {
    case 'yes or no':
      return typed === 'true'
    case 'basis points':
      return /^\d{1,3}(?:\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : Number.NaN
    case 'days':
    case 'count':
      return /^\d{1,7}$/.test(typed) ? Number(typed) : Number.NaN
    default:
      return typed
  }
}
