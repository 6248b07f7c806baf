import { sql } from 'drizzle-orm'
import { newId } from '../crypto/tokens.ts'
import type { Statement } from '../database.ts'

/** Adds a notification for each recipient. */
export function insertNotifications(
  userIds: readonly string[],
  { title, content }: { readonly title: string; readonly content: string },
  nowMs: number,
): Statement {
  // As JSON, because the number of parameters of a statement is limited.
  const receivers = JSON.stringify(userIds.map((userId) => [newId(), userId]))
  return sql`
    INSERT INTO received_notifications (id, user_id, title, content, created_at)
    SELECT value ->> 0, value ->> 1, ${title}, ${content}, ${nowMs} FROM json_each(${receivers})`
}
