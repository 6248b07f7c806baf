import { sql } from 'drizzle-orm'

/**
 * The locked accounts to unlock, in parentheses: `id` and since when. The owner asks by a message, because nobody can sign in to a locked
 * account. After the first approval it waits for the second.
 */
export const SELECT_UNLOCKING = sql`(
      SELECT id, asked_at AS created_at FROM (
        SELECT u.id, coalesce(
          (SELECT l.at FROM lock_liftings l WHERE l.investor = u.id AND l.locked_at = u.locked_at AND l.step = 1),
          (SELECT min(m.opened_at) FROM contact_messages m
           WHERE m.email = u.email AND m.opened_at >= u.locked_at AND m.status <> 'closed' AND m.asked_by IS NULL)) AS asked_at
        FROM users u WHERE u.locked_at IS NOT NULL AND u.closed_at IS NULL)
      WHERE asked_at IS NOT NULL)`
