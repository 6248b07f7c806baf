import { sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/investors.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, created, ok, route, routeOf } from '../../http/call.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import { refusalOfDatabase, refuse, refuseField } from '../../lib/errors.ts'
import { receiveNotification } from '../../lib/notifications/receive.ts'
import { notificationSends, notifications } from '../../lib/tables/outreach.ts'
import { readSettings, settingsOf, storedSettings } from '../../platform/settings/values.ts'
import { investorDetail, loadInvestor } from './investor.ts'
import { foreignLink, isOwn, MAX_HTML_BYTES, namesMail, safeHtml, writtenOut } from './safeHtml.ts'

/**
 * Replaces an investor's notification. Its HTML is sanitised before it is stored. Refuses links to other sites, and more
 * notifications than an operator may send in one day.
 */
export const notifyInvestor = routeOf(contract.notifyInvestor, loadInvestor, async (call, investor) => {
  const { db, actor, nowMs, body } = call
  const { title, persistent } = body
  if (investor.facts.closedAt !== null)
    refuse('account_closed', { msg: 'This account is closed, so nobody would read the notification.' })
  assertOwnTitle(call, title)
  const content = await storable(call, body.content)
  const userId = investor.facts.id
  const notification = { title, content, persistent, seen: false, createdAt: nowMs }
  const sent = call.commit({
    statements: [
      db.insert(notificationSends).values({ operator: actor.id, at: nowMs }),
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

/** Sanitises the content. Refuses content that is then empty, too long, or links to another site. */
async function storable(call: Pick<ActorCall, 'db' | 'env'>, html: string): Promise<string> {
  const content = safeHtml(html)
  if (content === '') refuseField('content', 'The content is empty after unsafe parts are removed')
  if (bytesOf(content) > MAX_HTML_BYTES) refuseField('content', 'The content is too long. The limit is 16 KB')
  const support = namesMail(content) ? await supportAddress(call.db) : null
  const link = foreignLink(content, call.env.PUBLIC_ORIGIN, support)
  if (link !== null) refuseField('content', foreignWords(link))
  return content
}

/** Refuses a title that contains an address of another site. */
function assertOwnTitle({ env }: Pick<ActorCall, 'env'>, title: string): void {
  const link = writtenOut(title).find((address) => !isOwn(address, env.PUBLIC_ORIGIN))
  if (link !== undefined) refuseField('title', foreignWords(link))
}

function foreignWords(link: string): string {
  return `A notification may link only to our own pages. Please remove ${link.slice(0, 200)}`
}

async function supportAddress(db: Database): Promise<string> {
  const [rows] = await readTogether(db, readSettings())
  return settingsOf(storedSettings(rows)).supportAddress ?? site.supportEmail
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
