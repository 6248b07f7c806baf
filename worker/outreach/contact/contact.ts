import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { getMessagingNumber, sendContactMessage } from '../../../src/contract/outreach/contact.ts'
import { created, ok, type PublicCallOf } from '../../http/call.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { parseStored } from '../../lib/database.ts'
import { foldName } from '../../lib/foldName.ts'
import { settings } from '../../lib/tables/operators.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { endHolds } from '../threads/holds.ts'
import { RECEIVED } from '../threads/write.ts'

/** Starts a thread in the operators' queue. */
export async function sendMessage(call: PublicCallOf<typeof sendContactMessage>) {
  const { name, email, message } = call.body
  await call.commit({
    statements: [
      call.db.insert(contactMessages).values({
        id: newId(),
        ref: newRef('MSG'),
        name,
        nameFolded: foldName(name),
        email,
        message,
        createdAt: call.nowMs,
        openedAt: call.nowMs,
      }),
      endHolds(email, call.nowMs),
    ],
  })
  return created({ msg: RECEIVED })
}

/** The support number for messaging apps, as a list of one; empty if none is set. */
export async function showMessagingNumber({ db }: PublicCallOf<typeof getMessagingNumber>) {
  const [setting] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, 'messagingNumber'))
  const number = setting === undefined ? null : parseStored(z.nullable(z.string()), setting.value)
  return ok(number ? [{ number }] : [])
}
