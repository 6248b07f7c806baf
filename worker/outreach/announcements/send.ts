import { and, count, eq, getTableColumns, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { NewsTopic } from '../../../src/contract/identity/preferences.ts'
import {
  ANNOUNCEMENT_TOPICS,
  type AnnouncementTopic,
  type getAnnouncementReach as endpoint,
  MOST_READERS,
  NOTICE_REASON,
  SERVICE,
  splitParagraphs,
} from '../../../src/contract/outreach/announcements.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { buildOptionalMail, type Reader } from '../../identity/preferences/optionalMail.ts'
import { type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { composeNews } from '../../lib/mail/compose.ts'
import { deliverOutbox, enqueueMails, type Mail } from '../../lib/mail/outbox.ts'
import { announcements } from '../../lib/tables/outreach.ts'
import { preferences, users } from '../../lib/tables/people.ts'
import { outbox } from '../../lib/tables/platform.ts'
import { hasBudget } from '../../lib/workBudget.ts'

/** Fewer than one delivery takes, so that codes and links never wait behind news. */
const PAGE = 10
const PAGES_A_RUN = 10
/** What a page of a service notice takes, with its delivery. */
const STATEMENTS = 46
/** Mails that failed this often, over half an hour, no longer count as waiting. */
const MANY_ATTEMPTS = 5

type Announcement = typeof announcements.$inferSelect

/**
 * Continues approved announcements, service notices and then the oldest first: writes a page of mails, delivers it, and stops while a page is still waiting.
 * Each reader gets a mail once, even if runs crash or overlap, because a page's mails and its progress are one batch and the
 * database accepts each step once.
 */
export async function sendAnnouncements(env: Env, db: Database, nowMs: number): Promise<void> {
  for (let page = 0; page < PAGES_A_RUN && hasBudget(db, STATEMENTS); page++) {
    const [[waiting], [announcement]] = await readTogether(
      db,
      selectRows({ mails: count() })
        .from(outbox)
        .where(
          and(
            isNotNull(outbox.nextAttemptAt),
            inArray(outbox.list, ANNOUNCEMENT_TOPICS),
            lte(outbox.attempts, MANY_ATTEMPTS),
          ),
        ),
      selectRows(getTableColumns(announcements))
        .from(announcements)
        .where(isNull(announcements.finishedAt))
        .orderBy(sql`${announcements.topic} = ${SERVICE} DESC`, announcements.approvedAt)
        .limit(1),
    )
    if (announcement === undefined || (waiting?.mails ?? 0) >= PAGE) return
    if (!(await sendPage(env, db, announcement, nowMs))) return
    await deliverOutbox(env, db, nowMs)
  }
}

/** Writes one page of mails; false if another run was first. */
async function sendPage(env: Env, db: Database, announcement: Announcement, nowMs: number): Promise<boolean> {
  const [readers] = await readTogether(db, readNextReaders(announcement))
  const sentToSeq = readers.at(PAGE - 1)?.seq ?? announcement.lastSeq
  const mails = await Promise.all(readers.map((reader) => buildAnnouncementMail(env, announcement, reader)))
  try {
    await runBatch(db, [
      ...(await enqueueMails(env, mails, nowMs)),
      db
        .update(announcements)
        .set({
          sentToSeq,
          mails: sql`${announcements.mails} + ${mails.length}`,
          ...(sentToSeq === announcement.lastSeq && { finishedAt: nowMs }),
        })
        .where(eq(announcements.proposal, announcement.proposal)),
    ])
    return true
  } catch (error) {
    if (findDatabaseRefusal(error)?.code === 'already_decided') return false
    throw error
  }
}

function readNextReaders({ topic, sentToSeq, lastSeq }: Announcement) {
  const [u, p] = [alias(users, 'u'), alias(preferences, 'p')]
  return selectRows({ seq: u.seq, id: u.id, email: u.email, displayName: u.displayName })
    .from(u)
    .leftJoin(p, eq(p.userId, u.id))
    .where(sql`u.seq > ${sentToSeq} AND u.seq <= ${lastSeq} AND ${matchReadersSql(topic)}`)
    .orderBy(u.seq)
    .limit(PAGE)
}

/** A service notice is also in its reader's notifications. */
async function buildAnnouncementMail(
  env: Env,
  { topic, subject, text }: Announcement,
  reader: Reader,
): Promise<Mail> {
  const parts = splitParagraphs(text)
  const mail =
    topic === SERVICE
      ? composeNews(reader.email, subject, reader.displayName, [...parts, NOTICE_REASON], [NOTICE_REASON])
      : await buildOptionalMail(env, reader, topic, { subject, parts })
  return { ...mail, list: topic }
}

/** The column of each topic, a constant and so safe in SQL. */
const COLUMN: Readonly<Record<NewsTopic, string>> = {
  salesNews: 'sales_news',
  features: 'features',
  tips: 'tips',
}

/**
 * Condition on users `u` and their preferences `p`: investors who did not close their account. A service notice reaches all of them,
 * also in frozen accounts, and news those who want its topic and are not frozen. Nobody proved an unverified address to be theirs, and
 * its account cannot be used, so it gets neither.
 */
function matchReadersSql(topic: AnnouncementTopic): SQL {
  const hasAccount = sql`u.role = 'investor' AND u.email_verified_at IS NOT NULL AND u.closed_at IS NULL`
  return topic === SERVICE
    ? hasAccount
    : sql`${hasAccount} AND u.frozen_at IS NULL AND coalesce(${sql.raw(`p.${COLUMN[topic]}`)}, 1) = 1`
}

/** How many people would get an announcement on a topic if it were approved now, counted up to `MOST_READERS`. */
export async function announcementReach(call: CallOf<typeof endpoint>) {
  const [[row]] = await readTogether(
    call.db,
    selectRows({ readers: count() }).from(sql`(
      SELECT 1 FROM users u LEFT JOIN preferences p ON p.user_id = u.id
      WHERE ${matchReadersSql(call.query.topic)} LIMIT ${MOST_READERS})`),
  )
  return ok({ readers: row?.readers ?? 0 })
}
