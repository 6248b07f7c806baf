import { and, eq, gt, min } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/investors.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type CallOf, created, ok } from '../../http/call.ts'
import { findDatabaseRefusal, refuse, refuseField } from '../../lib/errors.ts'
import { insertNotifications } from '../../lib/notifications/receive.ts'
import { notificationSends, notifications } from '../../lib/tables/outreach.ts'
import { assertOwnAddresses, countMessage } from '../cases/messageToInvestor.ts'
import { type Investor, limitToScope, toInvestorDetail } from './investor.ts'
import { findForeignLink, MAX_HTML_BYTES, toSafeHtml } from './safeHtml.ts'

/**
 * Replaces an investor's notification. Its HTML is sanitised before it is stored. Refuses addresses and numbers that are not ours,
 * and more notifications than an operator may send in one day.
 */
export async function notifyInvestor(call: CallOf<typeof contract.notifyInvestor>, investor: Investor) {
  const { db, nowMs, body } = call
  const { title, persistent } = body
  if (investor.facts.closedAt !== null)
    refuse('account_closed', { msg: 'This account is closed, so nobody would read the notification.' })
  await assertOwnAddresses(call, 'title', title)
  const content = await sanitizeContent(call, body.content)
  const userId = investor.facts.id
  const notification = { title, content, persistent, seen: false, createdAt: nowMs }
  const sent = call.commit({
    statements: [
      countMessage(call),
      db
        .insert(notifications)
        .values({ userId, ...notification })
        .onConflictDoUpdate({ target: notifications.userId, set: notification }),
      insertNotifications([userId], notification, nowMs),
    ],
    audit: [{ action: 'investor.notified', subject: userId, detail: { persistent } }],
    answer: created(limitToScope(call.actor, toInvestorDetail(investor))),
  })
  return sent.catch(async (error: unknown) => {
    if (findDatabaseRefusal(error)?.code !== 'too_many_notifications') throw error
    return refuse('too_many_notifications', { retryAfterSeconds: await readSecondsUntilNext(call) })
  })
}

/** Seconds until the oldest counted notification is a day old. */
async function readSecondsUntilNext({ db, actor, nowMs }: ActorCall): Promise<number> {
  const { at, operator } = notificationSends
  const [oldest] = await db
    .select({ at: min(at) })
    .from(notificationSends)
    .where(and(eq(operator, actor.id), gt(at, nowMs - DAY_MS)))
  return Math.ceil(((oldest?.at ?? nowMs) + DAY_MS - nowMs) / 1000)
}

/** Returns the content exactly as `notifyInvestor` would store it, without storing it. */
export async function previewNotification(call: CallOf<typeof contract.previewNotification>) {
  const content = await sanitizeContent(call, call.body.content)
  return ok({ content, bytes: countBytes(content) })
}

/** Sanitises the content. Refuses content that is then empty or too long, or names an address that is not ours. */
async function sanitizeContent(call: Pick<ActorCall, 'db' | 'env'>, html: string): Promise<string> {
  const content = await toSafeHtml(html)
  if (content === '') refuseField('content', 'The content is empty after unsafe parts are removed')
  if (countBytes(content) > MAX_HTML_BYTES)
    refuseField('content', 'The content is too long. The limit is 16 KB')
  await assertOwnAddresses(call, 'content', (own) => findForeignLink(content, own))
  return content
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length
}
