import { sql } from 'drizzle-orm'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { type ActorCall, type Answer, type CheckedCall, created } from '../../http/call.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { notificationSends, notifications } from '../../lib/tables/outreach.ts'
import { type Investor, investorDetail } from './investor.ts'
import { assertOwnTitle, storable } from './preview.ts'

interface Notification {
  readonly title: string
  readonly content: string
  readonly persistent: boolean
}

/**
 * Shows an investor a notification, in place of the one before. Its HTML is made safe before it is stored. Refuses links to
 * other sites, and more than an operator may send within a day.
 */
export async function notifyInvestor(
  call: CheckedCall<Notification, unknown> & ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  const { db, actor, nowMs, body } = call
  const { title, persistent } = body
  if (investor.facts.closedAt !== null)
    refuse('account_closed', { msg: 'This account is closed: nobody would read it.' })
  assertOwnTitle(call, title)
  const content = await storable(call, body.content)
  const userId = investor.facts.id
  const notification = { title, content, persistent, seen: false, createdAt: nowMs }
  const answer = created(investorDetail(investor))
  const sent = call.commit({
    statements: [
      db.insert(notificationSends).values({ operator: actor.id, at: nowMs }),
      db
        .insert(notifications)
        .values({ userId, ...notification })
        .onConflictDoUpdate({ target: notifications.userId, set: notification }),
    ],
    audit: [{ action: 'investor.notified', subject: userId, detail: { persistent } }],
    answer,
  })
  await sent.catch(async (error: unknown) => {
    if (refusalOfDatabase(error)?.code !== 'too_many_notifications') throw error
    refuse('too_many_notifications', { retryAfterSeconds: await secondsUntilNext(call) })
  })
  return answer
}

/** How long until the oldest notification that counts is a day old. */
async function secondsUntilNext({ db, actor, nowMs }: ActorCall): Promise<number> {
  const [[oldest]] = await readTogether(
    db,
    reading<{ at: number | null }>(sql`
      SELECT min(at) AS at FROM notification_sends WHERE operator = ${actor.id} AND at > ${nowMs - DAY_MS}`),
  )
  return Math.ceil(((oldest?.at ?? nowMs) + DAY_MS - nowMs) / 1000)
}
