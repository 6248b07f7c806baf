import { sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { subscribeToNewsletter } from '../../../src/contract/outreach/newsletter.ts'
import { type Answer, accepted, type CheckedCall } from '../../http/call.ts'
import { newId, randomToken, sha256Hex } from '../../lib/crypto/tokens.ts'
import { newsletterSubscribers, newsletterTokens } from '../../lib/tables/outreach.ts'
import { confirmMail } from './mails.ts'

type SubscribeCall = CheckedCall<BodyOf<typeof subscribeToNewsletter>, undefined>

/** How long the link works, and how long an address is kept that nobody confirms. */
const CONFIRM_MS = 7 * 24 * 3_600_000

/** Mails a link that confirms the newsletter. All that differs happens after the answer, which is always the same. */
export async function subscribe(call: SubscribeCall): Promise<Answer<Message>> {
  call.defer(mailLink(call))
  return accepted({
    msg: 'Please look into your mailbox: unless this address has the newsletter already, we have sent a link there that confirms it.',
  })
}

// The database refuses the whole batch where the address has the newsletter or had such a mail a moment ago.
async function mailLink({ db, env, nowMs, body: { email }, commit }: SubscribeCall): Promise<void> {
  const token = randomToken(32)
  const expiresAt = nowMs + CONFIRM_MS
  await commit({
    statements: [
      db
        .insert(newsletterSubscribers)
        .values({ id: newId(), email, requestedAt: nowMs, mailedAt: nowMs, expiresAt })
        .onConflictDoUpdate({
          target: newsletterSubscribers.email,
          set: { mailedAt: nowMs, mails: sql`${newsletterSubscribers.mails} + 1`, expiresAt },
        }),
      db.insert(newsletterTokens).values({
        tokenHash: await sha256Hex(token),
        subscriber: sql`(SELECT id FROM newsletter_subscribers WHERE email = ${email})`,
        createdAt: nowMs,
        expiresAt,
      }),
    ],
    mails: [confirmMail(env, email, token)],
  })
}
