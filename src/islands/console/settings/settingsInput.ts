import * as z from 'zod/mini'
import { refuseValue } from '../../../contract/common.ts'
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

/** The input of the form: the setting by its key, and the reason. */
export type SettingsInput = Readonly<Record<string, string | undefined>>

/** The current value as initial input of the form. */
export function buildInitialInput(key: SettingKey, settings: Settings): Record<string, string> {
  return { [key]: formatSettingInput(key, getSetting(settings, key) ?? null) }
}

function formatSettingInput(key: SettingKey, value: SettingValue): string {
  if (typeof value !== 'number') return String(value ?? '')
  const { unit } = getSettingFacts(key)
  if (unit === 'cents') return value.toFixed(2)
  return unit === 'basis points' ? (value / 100).toFixed(2) : String(value)
}

/** Validates the form by the contract's rule. The current value is no change. */
export function buildSettingSchema(key: SettingKey, settings: Settings) {
  const field = z.pipe(
    z.string(),
    z.transform((typed, context) => {
      const read = readTyped(key, typed)
      if ('problem' in read) refuseValue(context, read.problem)
      else if (read.value === getSetting(settings, key)) refuseValue(context, 'This is the current value')
      return typed
    }),
  )
  return z.object({ [key]: field, reason: z.optional(z.string()) }) as unknown as z.ZodMiniType<
    SettingsInput,
    SettingsInput
  >
}

/** The value that was typed, in the unit of the API. */
export function parseTyped(key: SettingKey, typed: SettingsInput): SettingValue {
  const read = readTyped(key, typed[key] ?? '')
  if ('problem' in read) throw new Error(read.problem)
  return read.value
}

/** A change as the body of the endpoint. */
export function buildPatchBody(key: SettingKey, value: SettingValue, reason?: string) {
  return {
    ...toNestedSettings(new Map([[key, value]])),
    ...(reason && { reason }),
  } as InputOf<typeof patchSettings>
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
