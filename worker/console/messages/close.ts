import { eq, sql } from 'drizzle-orm'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { type MessageFacts, messageRow, readMessages } from './message.ts'

/** The contact message that `:id` names. */
export async function loadMessage(call: ActorCall): Promise<MessageFacts> {
  const [found] = await readTogether(call.db, readMessages(sql`m.id = ${call.params.id ?? ''}`, 1))
  return found[0] ?? refuse('not_found')
}

/** Marks a contact message as answered. */
export async function closeMessage(call: ActorCall, message: MessageFacts): Promise<Answer<ContactMessage>> {
  const { db, actor, nowMs } = call
  if (message.status !== 'open') refuse('already_decided', { msg: 'This message is closed already.' })
  const answer = ok(messageRow({ ...message, status: 'closed', closedByName: actor.displayName }))
  await call.commit({
    statements: [
      db
        .update(contactMessages)
        .set({ status: 'closed', closedBy: actor.id, closedAt: nowMs })
        .where(eq(contactMessages.id, message.id)),
    ],
    audit: [{ action: 'message.closed', subject: message.id }],
    answer,
  })
  return answer
}
