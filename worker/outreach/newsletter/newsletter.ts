import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type {
  confirmSubscription,
  subscribeToNewsletter,
  unsubscribeFromNewsletter,
} from '../../../src/contract/outreach/newsletter.ts'
import { DAY_MS } from '../../../src/time.ts'
import { accepted, ok, type PublicCallOf } from '../../http/call.ts'
import { generateToken, newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { newsletterSubscribers, newsletterTokens } from '../../lib/tables/outreach.ts'
import { buildWelcomeMail, confirmMail, verifyUnsubscribeToken } from './mails.ts'

type SubscribeCall = PublicCallOf<typeof subscribeToNewsletter>

/** How long the link works and an unconfirmed address is stored. */
const CONFIRM_MS = 7 * DAY_MS

/** Mails a confirmation link. The answer is always the same; everything that differs happens after it. */
export async function subscribe(call: SubscribeCall) {
  call.defer(() => mailLink(call))
  return accepted({
    msg: 'Please check your mailbox. Unless this address already gets the newsletter, we sent it a link to confirm.',
  })
}

// The database refuses the batch if the address is subscribed or got such a mail moments ago.
async function mailLink({ db, env, nowMs, body: { email }, commit }: SubscribeCall): Promise<void> {
  const token = generateToken(32)
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

type ConfirmCall = PublicCallOf<typeof confirmSubscription>

/**
 * Confirms a subscription with the mailed token. Idempotent. Answers `invalid_token` alike for a wrong or expired token and an
 * ended subscription.
 */
export async function confirm(call: ConfirmCall) {
  const subscriber = await findSubscriber(call)
  if (subscriber === null) return refuse('invalid_token')
  if (subscriber.status === 'pending') await confirmSubscriber(call, subscriber)
  return ok({ msg: 'Thank you. You will get the newsletter from now on.' })
}

interface Subscriber {
  readonly id: string
  readonly email: string
  readonly status: 'pending' | 'confirmed' | 'unsubscribed'
}

async function findSubscriber({ db, nowMs, body }: ConfirmCall): Promise<Subscriber | null> {
  const [found] = await db
    .select({
      id: newsletterSubscribers.id,
      email: newsletterSubscribers.email,
      status: newsletterSubscribers.status,
    })
    .from(newsletterTokens)
    .innerJoin(newsletterSubscribers, eq(newsletterSubscribers.id, newsletterTokens.subscriber))
    .where(
      and(eq(newsletterTokens.tokenHash, await sha256Hex(body.token)), gt(newsletterTokens.expiresAt, nowMs)),
    )
  return found && found.email !== null ? { ...found, email: found.email } : null
}

async function confirmSubscriber(
  { db, env, nowMs, commit }: ConfirmCall,
  subscriber: Subscriber,
): Promise<void> {
  try {
    await commit({
      statements: [
        db
          .update(newsletterSubscribers)
          .set({ status: 'confirmed', confirmedAt: nowMs, expiresAt: null })
          .where(eq(newsletterSubscribers.id, subscriber.id)),
      ],
      mails: [await buildWelcomeMail(env, subscriber)],
    })
  } catch (error) {
    // Of two simultaneous calls one confirms; the other finds it done.
    if (findDatabaseRefusal(error)?.code !== 'already_decided') throw error
  }
}

/** How long a row without an address is stored, to answer complaints about late mails. */
const KEEP_MS = 30 * DAY_MS

/**
 * Ends a subscription and erases its address with its pending links and mails. Idempotent. Refuses `invalid_token` only for a
 * token that we never issued.
 */
export async function unsubscribe(call: PublicCallOf<typeof unsubscribeFromNewsletter>) {
  const { db, env, nowMs, body } = call
  const id = await verifyUnsubscribeToken(env, body.token)
  if (id === null) return refuse('invalid_token')
  await call.commit({
    statements: [
      db
        .update(newsletterSubscribers)
        .set({ email: null, status: 'unsubscribed', unsubscribedAt: nowMs, expiresAt: nowMs + KEEP_MS })
        .where(and(eq(newsletterSubscribers.id, id), ne(newsletterSubscribers.status, 'unsubscribed'))),
    ],
  })
  return ok({ msg: 'You are unsubscribed. We deleted your address from the newsletter.' })
}
