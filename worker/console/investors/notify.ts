import { sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/investors.ts'
import { type ActorCall, created, ok, route, routeOf } from '../../http/call.ts'
import { DAY_MS } from '../../lib/days.ts'
import { refusalOfDatabase, refuse, refuseField } from '../../lib/errors.ts'
import { receiveNotification } from '../../lib/notifications/receive.ts'
import { notifications } from '../../lib/tables/outreach.ts'
import { assertOwnAddresses, countMessage } from '../cases/messageToInvestor.ts'
import { investorDetail, loadInvestor } from './investor.ts'
import { findForeignLink, MAX_HTML_BYTES, safeHtml } from './safeHtml.ts'

/**
 * Replaces an investor's notification. Its HTML is sanitised before it is stored. Refuses addresses and numbers that are not ours,
 * and more notifications than an operator may send in one day.
 */
export const notifyInvestor = routeOf(contract.notifyInvestor, loadInvestor, async (call, investor) => {
  const { db, nowMs, body } = call
  const { title, persistent } = body
  if (investor.facts.closedAt !== null)
    refuse('account_closed', { msg: 'This account is closed, so nobody would read the notification.' })
  await assertOwnAddresses(call, 'title', title)
  const content = await storable(call, body.content)
  const userId = investor.facts.id
  const notification = { title, content, persistent, seen: false, createdAt: nowMs }
  const sent = call.commit({
    statements: [
      countMessage(call),
      db
        .insert(notifications)
        .values({ userId, ...notification })
        .onConflictDoUpdate({ target: notifications.userId, set: notification }),
      receiveNotification([userId], notification, nowMs),
    ],
    audit: [{ action: 'investor.notified', subject: userId, detail: { persistent } }],
    answer: created(investorDetail(investor)),
  })
  return sent.catch(async (error: unknown) => {
    if (refusalOfDatabase(error)?.code !== 'too_many_notifications') throw error
    return refuse('too_many_notifications', { retryAfterSeconds: await secondsUntilNext(call) })
  })
})

/** Seconds until the oldest counted notification is a day old. */
async function secondsUntilNext({ db, actor, nowMs }: ActorCall): Promise<number> {
  const [oldest] = await db.all<{ at: number | null }>(sql`
      SELECT min(at) AS at FROM notification_sends WHERE operator = ${actor.id} AND at > ${nowMs - DAY_MS}`)
  return Math.ceil(((oldest?.at ?? nowMs) + DAY_MS - nowMs) / 1000)
}

/** The content exactly as `notifyInvestor` would store it. Stores nothing. */
export const previewNotification = route(contract.previewNotification, async (call) => {
  const content = await storable(call, call.body.content)
  return ok({ content, bytes: bytesOf(content) })
})

/** Sanitises the content. Refuses content that is then empty or too long, or names an address that is not ours. */
async function storable(call: Pick<ActorCall, 'db' | 'env'>, html: string): Promise<string> {
  const content = await safeHtml(html)
  if (content === '') refuseField('content', 'The content is empty after unsafe parts are removed')
  if (bytesOf(content) > MAX_HTML_BYTES) refuseField('content', 'The content is too long. The limit is 16 KB')
  await assertOwnAddresses(call, 'content', (own) => findForeignLink(content, own))
  return content
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
