import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { sendContactMessage } from '../../../src/contract/outreach/contact.ts'
import { type Answer, type CheckedCall, created } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'

/** Keeps a message for support, in the operators' queue. */
export async function send(
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
