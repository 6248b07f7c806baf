import { eq } from 'drizzle-orm'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { getMessagingNumber } from '../../../src/contract/outreach/contact.ts'
import { type Answer, type Call, ok } from '../../http/call.ts'
import { settings } from '../../lib/tables/operators.ts'

/** The messaging-app number of support, as a list of one; empty while the operators have set none. */
export async function messagingNumber(call: Call): Promise<Answer<AnswerOf<typeof getMessagingNumber>>> {
  const [setting] = await call.db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, 'messagingNumber'))
  const number: unknown = setting === undefined ? null : JSON.parse(setting.value)
  return ok(typeof number === 'string' && number !== '' ? [{ number }] : [])
}
