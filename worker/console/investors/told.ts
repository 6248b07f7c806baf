import { sql } from 'drizzle-orm'
import type { Told } from '../../../src/contract/console/investorFile.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { reading } from '../../lib/database.ts'
import { readFile } from './file.ts'

const MOST = 100

interface NotificationRow {
  readonly title: string
  readonly content: string
  readonly persistent: number
  readonly seen: number
  readonly at: number
}
interface SentRow {
  readonly at: number
  readonly by: string
  readonly persistent: number | null
}
interface MailRow {
  readonly id: string
  readonly at: number
  readonly subject: string
  readonly deliveredAt: number | null
}

/** What an investor was told: the notification that stands, when there were others, and the mails, of which no text is kept. */
export async function showTold(call: ActorCall): Promise<Answer<Told>> {
  const id = call.params.id ?? ''
  const { rows } = await readFile(
    call,
    reading<NotificationRow>(sql`
      SELECT title, content, persistent, seen, created_at AS at FROM notifications WHERE user_id = ${id}`),
    reading<SentRow>(sql`
      SELECT l.at, a.display_name AS by, json_extract(l.detail, '$.persistent') AS persistent
      FROM audit_log l JOIN users a ON a.id = l.actor
      WHERE l.subject = ${id} AND l.action = 'investor.notified' ORDER BY l.seq DESC LIMIT ${MOST}`),
    reading<MailRow>(sql`
      SELECT id, created_at AS at, subject, delivered_at AS deliveredAt FROM outbox
      WHERE recipient = (SELECT email FROM users WHERE id = ${id} AND role = 'investor') ORDER BY seq DESC LIMIT ${MOST}`),
  )
  const [[notification], sent, mails] = rows
  return ok({
    notification:
      notification === undefined
        ? null
        : {
            title: notification.title,
            content: notification.content,
            persistent: notification.persistent === 1,
            seen: notification.seen === 1,
            at: iso(notification.at),
          },
    sent: sent.map(({ at, by, persistent }) => ({ at: iso(at), by, persistent: persistent === 1 })),
    mails: mails.map((mail) => ({
      _id: mail.id,
      at: iso(mail.at),
      subject: mail.subject,
      deliveredAt: mail.deliveredAt === null ? null : iso(mail.deliveredAt),
    })),
  })
}
