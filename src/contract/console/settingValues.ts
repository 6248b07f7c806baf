import { formatUsd, toUsd } from '../money.ts'
import { formatNumber } from '../numbers.ts'
import type { Role } from '../roles.ts'
import {
  getSettingFacts,
  SETTING_KEYS,
  type SETTINGS,
  type SettingFacts,
  type SettingKey,
} from './settingList.ts'

/** The settings in the API: amounts in USD, groups as objects. */
export type Settings = NestedSettings<SettingKey, { [Key in SettingKey]: ValueOf<UnitOf<Key>> }>

/** A change of settings: of a group, only the changed parts. */
export type SettingsInput<Key extends SettingKey> = PartOf<
  NestedSettings<Key, { [K in Key]: InputOf<UnitOf<K>> }>
>

/** Stored settings: amounts in cents. */
export type StoredSettings<Key extends SettingKey = SettingKey> = PartOf<
  NestedSettings<Key, { [K in Key]: ValueOf<UnitOf<K>> }>
>

export type SettingValue = number | boolean | string | null | readonly string[]

/** The value of a setting; undefined if it is absent. */
export function getSetting(settings: object, key: SettingKey): SettingValue | undefined {
  const [name, part] = splitKey(key)
  const value = getProperty(settings, name)
  // The shape follows the list: only a group is an object.
  return (part === undefined ? value : getProperty(value, part)) as SettingValue | undefined
}

/** Nests values by key: a group's parts become one object. */
export function toNestedSettings(values: ReadonlyMap<SettingKey, SettingValue>): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const [key, value] of values) {
    const [name, part] = splitKey(key)
    nested[name] = part === undefined ? value : { ...(nested[name] as object), [part]: value }
  }
  return nested
}

/** The keys in a change, in the order of the list. */
export function listKeys(settings: object): SettingKey[] {
  return SETTING_KEYS.filter((key) => getSetting(settings, key) !== undefined)
}

/** The group's name, or the setting's without a group. The value is stored under it. */
export function getSettingRow(key: SettingKey): string {
  return splitKey(key)[0]
}

function splitKey(key: SettingKey): [string, string | undefined] {
  const [name = key, part] = key.split('.')
  return [name, part]
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

type UnitOf<Key extends SettingKey> = (typeof SETTINGS)[Key]['unit']

type ValueOf<Unit extends SettingFacts['unit']> = Unit extends 'yes or no'
  ? boolean
  : Unit extends 'list'
    ? string[]
    : Unit extends 'phone' | 'email'
      ? string | null
      : Unit extends 'role'
        ? Role
        : number

type InputOf<Unit extends SettingFacts['unit']> = Unit extends 'cents' ? number | string : ValueOf<Unit>

/** `{'a.b': T, c: U}` as `{a: {b: T}, c: U}`. */
type NestedSettings<Key extends string, Values extends Record<Key, unknown>> = {
  [K in Key as K extends `${infer Group}.${string}` ? Group : K]: K extends `${infer Group}.${string}`
    ? {
        [P in Key as P extends `${Group}.${infer Part}` ? Part : never]: Values[P]
      }
    : Values[K]
}

type PartOf<T> = {
  [K in keyof T]?:
    | (T[K] extends readonly unknown[] | null ? T[K] : T[K] extends object ? Partial<T[K]> : T[K])
    | undefined
}

/** The text of a setting's API value: `$5,000.00`, `12.5%`, `1,825 days`, `Yes`, `None`. */
export function formatSetting(key: SettingKey, value: SettingValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return value.length === 0 ? 'None' : value.join(' ')
  if (typeof value === 'string') return value
  switch (getSettingFacts(key).unit) {
    case 'cents':
      return formatUsd(value)
    case 'basis points':
      return `${value / 100}%`
    case 'days':
      return `${formatNumber(value)} days`
    default:
      return formatNumber(value)
  }
}

/** The text of the default. */
export function formatDefault(key: SettingKey): string {
  const { unit, default: value } = getSettingFacts(key)
  return formatSetting(key, unit === 'cents' && typeof value === 'number' ? toUsd(value) : value)
}
