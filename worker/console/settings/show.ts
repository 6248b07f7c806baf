import type { Settings } from '../../../src/contract/console/settingValues.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { readSettings, settingsOf, storedSettings } from '../../platform/settings/values.ts'

/** The platform's settings. */
export async function showSettings(call: ActorCall): Promise<Answer<Settings>> {
  const [rows] = await readTogether(call.db, readSettings())
  return ok(settingsOf(storedSettings(rows)))
}
