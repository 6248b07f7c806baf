import { desc, getTableColumns, sql } from 'drizzle-orm'
import { getActivityLabel } from '../../../src/contract/auditActions.ts'
import type { ActivityRow, listActivity as endpoint } from '../../../src/contract/identity/activity.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { activity } from '../../lib/tables/platform.ts'

/** The actor's activity log, newest first. */
export async function listActivity(call: CallOf<typeof endpoint>): Promise<Answer<ActivityRow[]>> {
  const { limit, cursor } = call.query
  const [rows] = await readTogether(call.db, readActivity(call.actor.id, openCursor(cursor), limit))
  const page = takePage(call, rows, limit, ({ at, seq }) => ({ at, seq }))
  return ok(page.rows.map(toActivityRow), page.headers)
}

/** A page of a user's activity, and one more row to detect the next page. */
export function readActivity(userId: string, after: Position | null, limit: number) {
  const isAfter = after === null ? sql`1` : sql`(at, seq) < (${after.at}, ${after.seq})`
  return selectRows(getTableColumns(activity))
    .from(activity)
    .where(sql`user_id = ${userId} AND ${isAfter}`)
    .orderBy(desc(activity.at), desc(activity.seq))
    .limit(limit + 1)
}

export function toActivityRow({ id, at, event, ip, userAgent }: RowOf<typeof readActivity>): ActivityRow {
  return { _id: id, at: toIso(at), event, label: getActivityLabel(event), ip, userAgent }
}
