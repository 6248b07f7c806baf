import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeNews, escapeHtml } from '../../lib/mail/compose.ts'
import { enqueueMails, type Mail } from '../../lib/mail/outbox.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { positions } from '../../lib/tables/ledger.ts'
import { users } from '../../lib/tables/people.ts'
import { strategyEvents, strategyNotices } from '../../lib/tables/strategies.ts'
import { hasBudget } from '../../lib/workBudget.ts'

const PAGE = 20
const PAGES_A_RUN = 10
/** More than a page takes. */
const STATEMENTS = 80

type NoticeKind = 'suspended' | 'resumed' | 'stopped'

interface Notice extends Pick<typeof strategyEvents.$inferSelect, 'strategy' | 'reason'> {
  readonly kind: NoticeKind
}

type Reader = Pick<typeof users.$inferSelect, 'email' | 'displayName'>

/**
 * Mails every investor who owns units of a strategy when it is suspended, resumed or stopped and by a notification. The overview
 * shows it unless another one is unread. A page of investors and the progress are one batch, so no investor gets it twice after a failed run.
 */
export async function notifyInvestors(env: Env, db: Database, nowMs: number): Promise<void> {
  const { event, toldToSeq } = strategyNotices
  for (let page = 0; page < PAGES_A_RUN && hasBudget(db, STATEMENTS); page++) {
    const [notice] = await db
      .select({
        ...{ event, toldToSeq, strategy: strategyEvents.strategy, reason: strategyEvents.reason },
        // A start is no news, and has no notice.
        kind: sql<NoticeKind>`${strategyEvents.kind}`,
      })
      .from(strategyNotices)
      .innerJoin(strategyEvents, eq(strategyEvents.seq, event))
      .where(isNull(strategyNotices.finishedAt))
      .orderBy(event)
      .limit(1)
    if (notice === undefined) return
    const readers = await db
      .select({ seq: users.seq, id: users.id, email: users.email, displayName: users.displayName })
      .from(positions)
      .innerJoin(users, eq(users.id, positions.investor))
      .where(
        and(
          ...[eq(positions.strategy, notice.strategy), gt(positions.units, 0)],
          ...[gt(users.seq, notice.toldToSeq), isNull(users.closedAt)],
        ),
      )
      .orderBy(users.seq)
      .limit(PAGE)
    const last = readers.length < PAGE ? null : readers.at(-1)
    await runBatch(db, [
      sql`
        UPDATE strategy_notices
        SET told_to_seq = ${last?.seq ?? Number.MAX_SAFE_INTEGER}, finished_at = ${last ? null : nowMs}
        WHERE event = ${notice.event}`,
      ...(await enqueueMails(
        env,
        readers.map((reader) => buildNoticeMail(env, reader, notice)),
        nowMs,
      )),
      ...readers.map((reader) => notify(reader.id, buildNotification(notice), nowMs)),
    ])
  }
}

const NEWS: Readonly<Record<NoticeKind, { what: string; now: string }>> = {
  suspended: {
    what: 'was suspended',
    now: 'It sells its holdings at the next open. After that its units are worth a fixed amount of cash. It takes no new money. You can redeem your units at any time.',
  },
  resumed: {
    what: 'was resumed',
    now: 'It takes new money again. It trades by its rules again from the next open. You can redeem your units at any time.',
  },
  stopped: {
    what: 'was stopped for good',
    now: 'It will not take money again. It sells any remaining holdings at the next open. After that its units are worth a fixed amount of cash. You can redeem your units at any time.',
  },
}

/** What happened, why, and what happens next. Only operators see why a strategy was resumed. */
function describeNotice({ kind, strategy, reason }: Notice) {
  const { what, now } = NEWS[kind]
  const title = `${getStrategyName(strategy)} ${what}`
  return { title, reason: kind === 'resumed' ? null : reason, now }
}

function buildNoticeMail(env: Env, { email, displayName }: Reader, notice: Notice): Mail {
  const { title, reason, now } = describeNotice(notice)
  return composeNews(email, title, displayName, [
    `The strategy ${title}. ${reason ?? ''}`.trim(),
    now,
    {
      label: 'See your units',
      href: buildLink(env, '/dashboard/strategies', { strategy: notice.strategy }),
    },
  ])
}

interface Notification {
  readonly title: string
  readonly content: string
}

function buildNotification(notice: Notice): Notification {
  const { title, reason, now } = describeNotice(notice)
  const content = [reason, now].flatMap((text) => (text ? [`<p>${escapeHtml(text)}</p>`] : [])).join('')
  return { title, content }
}

// The overview keeps showing an unread notification. The list has both, with the words of the mail.
function notify(investor: string, { title, content }: Notification, nowMs: number): Statement {
  return sql`
    INSERT INTO notifications (user_id, title, content, persistent, seen, created_at)
    VALUES (${investor}, ${title}, ${content}, 0, 0, ${nowMs})
    ON CONFLICT (user_id) DO UPDATE SET title = excluded.title, content = excluded.content,
      persistent = 0, seen = 0, created_at = excluded.created_at
    WHERE notifications.seen = 1`
}
