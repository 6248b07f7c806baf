import { and, eq, gt } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { confirmSubscription } from '../../../src/contract/outreach/newsletter.ts'
import { type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { newsletterSubscribers, newsletterTokens } from '../../lib/tables/outreach.ts'
import { welcomeMail } from './mails.ts'

type ConfirmCall = CheckedCall<BodyOf<typeof confirmSubscription>, undefined>

/**
 * Confirms a subscription with the mailed token. It takes effect once; who presses the link again while it lives is told
 * the same. Wrong, expired, or of a subscription that was ended: `invalid_token`, all alike.
 */
export async function confirm(call: ConfirmCall): Promise<Answer<Message>> {
  const subscriber = await subscriberOf(call)
  if (subscriber === null) return refuse('invalid_token')
  if (subscriber.status === 'pending') await welcome(call, subscriber)
  return ok({ msg: 'Thank you. You will get the newsletter from now on.' })
}

interface Subscriber {
  readonly id: string
  readonly email: string
  readonly status: 'pending' | 'confirmed' | 'unsubscribed'
}

async function subscriberOf({ db, nowMs, body }: ConfirmCall): Promise<Subscriber | null> {
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

async function welcome({ db, env, nowMs, commit }: ConfirmCall, subscriber: Subscriber): Promise<void> {
  try {
    await commit({
      statements: [
        db
          .update(newsletterSubscribers)
          .set({ status: 'confirmed', confirmedAt: nowMs, expiresAt: null })
          .where(eq(newsletterSubscribers.id, subscriber.id)),
      ],
      mails: [await welcomeMail(env, subscriber)],
    })
  } catch (error) {
    // Of two presses at the same moment the database lets one confirm. The other finds it done, which is what it asked for.
    if (refusalOfDatabase(error)?.code !== 'already_decided') throw error
  }
}
