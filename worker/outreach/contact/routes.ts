import { eq } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import { getMessagingNumber, sendContactMessage } from '../../../src/contract/outreach/contact.ts'
import { type Answer, type Call, type CheckedCall, created, ok } from '../../http/call.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { settings } from '../../lib/tables/operators.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'

export const contactRoutes: readonly Route[] = [
  publicRoute(sendContactMessage, send),
  publicRoute(getMessagingNumber, messagingNumber),
]

/** Keeps a message for support, in the operators' queue. */
async function send(
  call: CheckedCall<BodyOf<typeof sendContactMessage>, undefined>,
): Promise<Answer<Message>> {
  const { name, email, message } = call.body
  await call.commit({
    statements: [
      call.db.insert(contactMessages).values({ id: newId(), name, email, message, createdAt: call.nowMs }),
    ],
  })
  return created({ msg: 'Thank you for your message. We will answer you by e-mail.' })
}

/** The messaging-app number of support, as a list of one; empty while the operators have set none. */
async function messagingNumber(call: Call): Promise<Answer<AnswerOf<typeof getMessagingNumber>>> {
  const [setting] = await call.db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, 'messagingNumber'))
  const number: unknown = setting === undefined ? null : JSON.parse(setting.value)
  return ok(typeof number === 'string' && number !== '' ? [{ number }] : [])
}
