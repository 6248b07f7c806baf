import * as z from 'zod/mini'
import { refuseValue } from '../common.ts'
import {
  hasHiddenCharacters,
  isCleanText,
  optionalLines,
  parseCents,
  requiredLines,
  requiredText,
} from '../fields.ts'
import { factorFields } from '../identity/factors.ts'
import { formatNumber } from '../numbers.ts'
import { CONFIDENTIAL_ROLES } from '../roles.ts'
import { findUnknownPlaceholder } from './placeholders.ts'
import { getSettingFacts, SETTING_KEYS, type SettingFacts, type SettingKey } from './settingList.ts'
import { getSettingRow, type SettingsInput, type StoredSettings } from './settingValues.ts'

const MAX_REASON_LENGTH = 300
const MAX_REASONS = 50

const UNIT_WORDS: Partial<Record<SettingFacts['unit'], string>> = {
  'basis points': 'basis points, ',
  days: 'days, ',
}

/** Some settings. Amounts in USD become cents. */
export const someSettings = assertSchemaType<StoredSettings, SettingsInput<SettingKey>>(
  z.object(buildSettingRules()),
)

/** A change of settings, with the reason for the administrator who decides about it. */
export const settingChanges = assertSchemaType<
  StoredSettings & Why & Factor,
  SettingsInput<SettingKey> & Partial<Why> & Partial<Factor>
>(z.object({ ...buildSettingRules(), reason: optionalLines(500), ...factorFields }))

interface Why {
  reason: string | undefined
}

type Factor = { [Key in keyof typeof factorFields]: z.output<(typeof factorFields)[Key]> }

/* @__NO_SIDE_EFFECTS__ */
function buildSettingRules() {
  return buildShape(
    SETTING_KEYS,
    (key) => z.optional(createRule(key)),
    (parts, name) =>
      z.optional(name === 'reasons' || name === 'templates' ? createListsRule(parts, name) : parts),
  )
}

/* @__NO_SIDE_EFFECTS__ */
export function createRule(key: SettingKey): z.ZodMiniType {
  const { unit, bounds } = getSettingFacts(key)
  switch (unit) {
    case 'cents':
      return createAmountRule()
    case 'basis points':
    case 'days':
    case 'count':
      return createWholeNumberRule(unit, bounds ?? { least: 0, most: 1_000_000 })
    case 'yes or no':
      return z.boolean({ error: `${key} is true or false` })
    case 'role':
      return z.enum(CONFIDENTIAL_ROLES, { error: 'Please choose one of the roles' })
    case 'phone':
      return createTextRule(
        /^\+(?:\d ?){6,14}\d$/,
        'Please give a number like +41 79 123 45 67, or leave it empty',
      )
    case 'email':
      return createTextRule(/^(?=.{3,254}$)[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/, 'Provide a valid email')
    case 'list':
      return z
        .array(createListedTextRule(key), { error: 'Please give a list of sentences' })
        .check(z.maxLength(MAX_REASONS, `At most ${MAX_REASONS} texts`))
  }
}

/** Parses an amount in USD, zero allowed, to cents. */
function createAmountRule() {
  return z.pipe(
    z.union([z.string(), z.number()], { error: 'Please give an amount in USD' }),
    z.transform((value, context) =>
      value === 0 || /^0+(?:\.0{1,2})?$/.test(String(value))
        ? 0
        : parseCents(value, context, 'Please give an amount in USD, like 5000 or 0'),
    ),
  )
}

function createWholeNumberRule(unit: SettingFacts['unit'], { least, most }: { least: number; most: number }) {
  const problem = `Please give ${UNIT_WORDS[unit] ?? ''}a whole number from ${formatNumber(least)} to ${formatNumber(most)}`
  return z
    .number({ error: problem })
    .check(z.refine((value: number) => Number.isInteger(value) && value >= least && value <= most, problem))
}

/** An empty text means "none", as null does. */
function createTextRule(pattern: RegExp, problem: string) {
  return z.pipe(
    z.nullable(z.string({ error: problem })),
    z.transform((value, context) => {
      const text = value?.trim() ?? ''
      return text === '' || (pattern.test(text) && isCleanText(text) && !hasHiddenCharacters(text))
        ? text || null
        : refuseValue(context, problem)
    }),
  )
}

/** A text of a list. It may have only the placeholders that its cases fill in. */
function createListedTextRule(key: SettingKey) {
  const { longest, placeholders = [] } = getSettingFacts(key)
  const empty = 'A text cannot be empty'
  return z.pipe(
    longest === undefined ? requiredText(empty, MAX_REASON_LENGTH) : requiredLines(empty, longest),
    z.transform((text, context) => {
      const unknown = findUnknownPlaceholder(text, placeholders)
      if (unknown === undefined) return text
      const known = placeholders.map((name) => `{${name}}`).join(', ')
      return refuseValue(
        context,
        `${unknown} is not filled in here. ${known ? `Use ${known}` : 'Please remove it'}`,
      )
    }),
  )
}

/** Lists of texts by kind. */
function createListsRule(kinds: z.ZodMiniObject<Record<string, z.ZodMiniType>>, name: string) {
  const error = `${name} has a list of texts for each kind`
  return z.pipe(z.record(z.string(), z.unknown(), { error }), kinds)
}

/** Types a schema that is built from the list. The types derive from the same list. */
/* @__NO_SIDE_EFFECTS__ */
function assertSchemaType<Output, Input>(schema: z.ZodMiniType): z.ZodMiniType<Output, Input> {
  return schema as z.ZodMiniType<Output, Input>
}

type Shape = Record<string, z.ZodMiniType>

/** Object fields for some settings: a group becomes an object of its parts, wrapped by `group` if given. */
/* @__NO_SIDE_EFFECTS__ */
export function buildShape(
  keys: readonly SettingKey[],
  schemaOf: (key: SettingKey) => z.ZodMiniType,
  group: (parts: z.ZodMiniObject<Shape>, name: string) => z.ZodMiniType = (parts) => parts,
): Shape {
  const shape: Shape = {}
  for (const name of new Set(keys.map(getSettingRow))) {
    const inside = keys.filter((key) => getSettingRow(key) === name)
    const [first] = inside
    if (first === name) shape[name] = schemaOf(first)
    else
      shape[name] = group(
        z.object(Object.fromEntries(inside.map((key) => [key.slice(name.length + 1), schemaOf(key)]))),
        name,
      )
  }
  return shape
}
