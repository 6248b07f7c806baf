import * as z from 'zod/mini'
import { isoTime, period } from '../common.ts'
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

/** `level`: its risk is another one, and high neither before nor after. */
export const EFFECT_CHANGES = ['added', 'removed', 'same', 'level'] as const

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
  /** The newest of each change, and of those that stay as they are, under the limit's or ceiling's effect or with a high risk. */
  cases: z.array(z.object({ _id: z.string(), ref: z.string(), change: z.enum(EFFECT_CHANGES) })),
  /** The time that was looked at: 90 days, or since the oldest of the newest ones. */
  from: isoTime,
  to: isoTime,
})
export type SettingEffect = z.output<typeof settingEffect>

export const previewSettings = endpoint('POST', '/operator/settings/preview', 'operator:proposals.read', {
  summary: `What changes of risk weights, limits or daily ceilings would have meant for the decisions of the last ${EFFECT_DAYS} days: at most the newest ${MOST_EFFECT_DECISIONS} decisions, and for weights the newest ${MOST_EFFECT_CASES} deposits and withdrawals. With “until”, those up to that time. Other settings have no effects`,
  body: z.object({ settings: someSettings, until: period.to }),
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
