import { findForeignAddress, type OwnAddresses } from '../../../src/contract/words.ts'
import { site } from '../../../src/site.ts'
import type { ActorCall } from '../../http/call.ts'
import { readTogether, type Statement } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import { notificationSends } from '../../lib/tables/outreach.ts'
import { parseStoredSettings, readSettings, toSettings } from '../../platform/settings/values.ts'

/**
 * Refuses an operator's words to one investor if they name an address, a domain or a number that is not ours. Reads the settings
 * only if there is something to compare.
 * @param field the field to name in the refusal
 * @param find finds a foreign address in the words
 */
export async function assertOwnAddresses(
  { db, env }: Pick<ActorCall, 'db' | 'env'>,
  field: string,
  words: string | ((own: OwnAddresses) => string | null),
): Promise<void> {
  const find = typeof words === 'string' ? (own: OwnAddresses) => findForeignAddress(words, own) : words
  const fixed = { origin: env.PUBLIC_ORIGIN, emails: [site.supportEmail.toLowerCase()], number: null }
  if (find(fixed) === null) return
  const [rows] = await readTogether(db, readSettings())
  const { supportAddress, messagingNumber } = toSettings(parseStoredSettings(rows))
  const emails = supportAddress === null ? fixed.emails : [...fixed.emails, supportAddress.toLowerCase()]
  const foreign = find({ ...fixed, emails, number: messagingNumber })
  if (foreign !== null)
    refuseField(
      field,
      `A message to an investor may name only our own addresses and numbers. Please remove ${foreign.slice(0, 200)}`,
    )
}

/**
 * Counts an operator's words to one investor, in the batch that sends them. A trigger refuses more than the settings allow in 24
 * hours, for notifications, replies and the messages of credits together.
 */
export function countMessage({ db, actor, nowMs }: Pick<ActorCall, 'db' | 'actor' | 'nowMs'>): Statement {
  return db.insert(notificationSends).values({ operator: actor.id, at: nowMs })
}
