import { SETTING_KEYS, settingFacts } from '../../../src/contract/console/settingList.ts'
import { settingAt } from '../../../src/contract/console/settingValues.ts'
import { listConditions } from '../../../src/contract/platform/platform.ts'
import { ok } from '../../http/call.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { readTogether } from '../../lib/database.ts'
import { readSettings, settingsOf, standingText, storedSettings } from './values.ts'

export const conditionRoutes: readonly Route[] = [
  publicRoute(listConditions, async ({ db }) => {
    const [rows] = await readTogether(db, readSettings())
    const stored = storedSettings(rows)
    const settings = settingsOf(stored)
    return ok(
      SETTING_KEYS.filter((key) => settingFacts(key).isPublic).map((key) => {
        const value = settingAt(settings, key)
        if (typeof value !== 'number' && typeof value !== 'boolean')
          throw new Error(`${key} is no figure, and cannot be a condition.`)
        return { setting: key, value, words: standingText(stored, key) }
      }),
      // A visitor’s own cookie may come with the answer.
      { 'Cache-Control': 'private, max-age=60' },
    )
  }),
]
