import type { SettingKey } from '../../../src/contract/console/settingList.ts'
import { foreignAddressProblem } from '../../../src/contract/words.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import { effectiveSetting, readSettings, storedSettings } from '../../platform/settings/values.ts'

/**
 * Refuses an operator's words to one investor if they name an address, a domain or a number that is not ours. Reads the settings
 * only if there is something to compare.
 * @param field the field to name in the refusal
 */
export async function assertOwnAddresses(
  { db, env }: Pick<ActorCall, 'db' | 'env'>,
  field: string,
  ...texts: readonly string[]
): Promise<void> {
  const fixed = { origin: env.PUBLIC_ORIGIN, emails: [site.supportEmail], number: null }
  if (texts.every((text) => foreignAddressProblem(text, fixed) === null)) return
  const [rows] = await readTogether(db, readSettings())
  const stored = storedSettings(rows)
  const read = (key: SettingKey) => {
    const value = effectiveSetting(stored, key)
    return typeof value === 'string' ? value : null
  }
  const supportAddress = read('supportAddress')
  const own = {
    ...fixed,
    emails: supportAddress === null ? fixed.emails : [...fixed.emails, supportAddress.toLowerCase()],
    number: read('messagingNumber'),
  }
  for (const text of texts) {
    const problem = foreignAddressProblem(text, own)
    if (problem !== null) refuseField(field, problem)
  }
}
