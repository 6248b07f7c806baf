import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS } from '../identity/factors.ts'
import { stepsField } from './cases.ts'
import { proposal } from './proposals.ts'
import { getSettingFacts, SETTING_KEYS, type SettingKey } from './settingList.ts'
import { buildShape, settingChanges, someSettings } from './settingRules.ts'
import type { Settings } from './settingValues.ts'

export type { Settings }

export const settings = buildAnswer<Settings>(SETTING_KEYS)

export const getSettings = endpoint('GET', '/operator/settings', 'operator:settings.read', {
  summary: 'The platform’s settings',
  answer: settings,
})

/** The schema of an answer with these settings. Its type derives from the same list. */
/* @__NO_SIDE_EFFECTS__ */
function buildAnswer<Answer>(keys: readonly SettingKey[]): z.ZodMiniType<Answer> {
  return z.object(buildShape(keys, answerRule)) as unknown as z.ZodMiniType<Answer>
}

function answerRule(key: SettingKey): z.ZodMiniType {
  switch (getSettingFacts(key).unit) {
    case 'yes or no':
      return z.boolean()
    case 'list':
      return z.array(z.string())
    case 'phone':
    case 'email':
      return z.nullable(z.string())
    default:
      return z.number()
  }
}

export const patchSettings = endpoint('PATCH', '/operator/settings', 'operator:settings.write', {
  summary: 'Propose a change of settings, which another administrator decides',
  status: 202,
  body: settingChanges,
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: [...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

/** How far a preview of settings looks back, and the most decisions or cases of a kind that it looks at, newest first. */
export const EFFECT_DAYS = 90
export const MOST_EFFECT_DECISIONS = 2_000
export const MOST_EFFECT_CASES = 200

/** The effect that a changed setting would have had on decisions or cases of the last days. */
const settingEffect = z.object({
  setting: z.enum(SETTING_KEYS as [SettingKey, ...SettingKey[]]),
  of: z.enum(['deposits', 'withdrawals']),
  /** How many were looked at, and whether these are all. */
  total: z.number(),
  isWhole: z.boolean(),
  /** How many a limit or ceiling applies to, or have a high risk: now, and with the changes. */
  before: z.number(),
  after: z.number(),
  /** How many the change decides otherwise; of a weight, whose level differs. */
  changed: z.number(),
  /** The newest of these. */
  cases: z.array(z.object({ _id: z.string(), ref: z.string() })),
})
export type SettingEffect = z.output<typeof settingEffect>

export const previewSettings = endpoint('POST', '/operator/settings/preview', 'operator:proposals.read', {
  summary: `What changes of risk weights, limits or daily ceilings would have meant for the decisions of the last ${EFFECT_DAYS} days: at most the newest ${MOST_EFFECT_DECISIONS} decisions, and for weights the newest ${MOST_EFFECT_CASES} deposits and withdrawals. Other settings have no effects`,
  body: z.object({ settings: someSettings }),
  answer: z.array(settingEffect),
  isQuery: true,
})

const person = z.object({ _id: z.string(), name: z.string() })

/** The last change of a setting, and pending proposals about it. */
const settingHistory = z.object({
  setting: z.string(),
  /** Of the last change, from the audit log. */
  steps: stepsField,
  pending: z.array(z.object({ proposal: z.string(), at: isoTime, by: person, after: z.string() })),
})

export type SettingHistory = z.output<typeof settingHistory>

export const listSettingHistory = endpoint('GET', '/operator/settings/history', 'operator:settings.read', {
  summary: 'For each setting: when and by whom it was last changed, and pending proposals about it',
  answer: z.array(settingHistory),
})
