import { count, desc, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as contract from '../../../src/contract/outreach/notifications.ts'
import { type ActorCall, type CallOf, type FirstReadsCall, noContent, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { type RowsOf, readTogether, selectRows } from '../../lib/database.ts'
import { receivedNotifications } from '../../lib/tables/outreach.ts'

export async function listNotifications(call: CallOf<typeof contract.listNotifications>) {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const r = alias(receivedNotifications, 'r')
  const [rows] = await readTogether(
    call.db,
    selectRows({
      seq: r.seq,
      id: r.id,
      title: r.title,
      content: r.content,
      at: r.createdAt,
      seenAt: r.seenAt,
    })
      .from(r)
      .where(
        sql`r.user_id = ${call.actor.id} AND ${after === null ? sql`1` : sql`(r.created_at, r.seq) < (${after.at}, ${after.seq})`}`,
      )
      .orderBy(desc(r.createdAt), desc(r.seq))
      .limit(limit + 1),
  )
  const page = takePage(call, rows, limit, ({ at, seq }) => ({ at, seq }))
  return ok(
    page.rows.map(({ id, title, content, at, seenAt }) => ({
      _id: id,
      title,
      content,
      at: toIso(at),
      seen: seenAt !== null,
    })),
    page.headers,
  )
}

export function readUnseen({ actorId }: FirstReadsCall<unknown>) {
  return [
    selectRows({ unseen: count() })
      .from(receivedNotifications)
      .where(sql`user_id = ${actorId} AND seen_at IS NULL`),
  ] as const
}

export async function countUnseen(_: ActorCall, [[row]]: RowsOf<ReturnType<typeof readUnseen>>) {
  return ok({ unseen: row?.unseen ?? 0 })
}

/** Also dismisses the notification of the overview, unless it is newer or persistent. */
export async function seeNotifications(call: CallOf<typeof contract.seeNotifications>) {
  const { actor, nowMs, body } = call
  const latest = sql`FROM received_notifications WHERE id = ${body.latest} AND user_id = ${actor.id}`
  await call.commit({
    statements: [
      sql`
        UPDATE received_notifications SET seen_at = ${nowMs}
        WHERE user_id = ${actor.id} AND seen_at IS NULL AND seq <= (SELECT seq ${latest})`,
      sql`
        UPDATE notifications SET seen = 1
        WHERE user_id = ${actor.id} AND persistent = 0 AND created_at <= (SELECT created_at ${latest})`,
    ],
  })
  return noContent()
}
