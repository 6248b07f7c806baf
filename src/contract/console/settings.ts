import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { SETTING_KEYS, type SettingKey, settingFacts } from './settingList.ts'
import { shapeOf } from './settingShape.ts'
import type { Settings } from './settingValues.ts'

export type { Settings }

/** All settings, amounts in USD. */
export const settings = answerOf<Settings>(SETTING_KEYS)

export const getSettings = endpoint({
  method: 'GET',
  path: '/operator/settings',
  scope: 'operator:settings.read',
  summary: 'The platform’s settings',
  status: 200,
  answer: settings,
})

/** The answer that has these settings. Its type follows the list, as the shape does. */
/* @__NO_SIDE_EFFECTS__ */
function answerOf<Answer>(keys: readonly SettingKey[]): z.ZodMiniType<Answer> {
  return z.object(shapeOf(keys, answerRule)) as unknown as z.ZodMiniType<Answer>
}

function answerRule(key: SettingKey): z.ZodMiniType {
  switch (settingFacts(key).unit) {
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
