import { and, eq, ne } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { unsubscribeFromNewsletter } from '../../../src/contract/outreach/newsletter.ts'
import { type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { newsletterSubscribers } from '../../lib/tables/outreach.ts'
import { subscriberOfToken } from './mails.ts'

/** A row without an address stays so long: whoever complains of a mail that came too late can still be answered. */
const KEEP_MS = 30 * 24 * 3_600_000

/**
 * Ends a subscription and erases its address, with the links and mails that still wait for it. Pressed again it answers the
 * same. Refuses `invalid_token` only where we never made that token.
 */
export async function unsubscribe(
  call: CheckedCall<BodyOf<typeof unsubscribeFromNewsletter>, undefined>,
): Promise<Answer<Message>> {
  const { db, env, nowMs, body } = call
  const id = await subscriberOfToken(env, body.token)
  if (id === null) return refuse('invalid_token')
  await call.commit({
    statements: [
      db
        .update(newsletterSubscribers)
        .set({ email: null, status: 'unsubscribed', unsubscribedAt: nowMs, expiresAt: nowMs + KEEP_MS })
        .where(and(eq(newsletterSubscribers.id, id), ne(newsletterSubscribers.status, 'unsubscribed'))),
    ],
  })
  return ok({ msg: 'You are unsubscribed, and your address is deleted from the newsletter.' })
}
