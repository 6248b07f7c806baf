import { type SQL, sql } from 'drizzle-orm'
import type { NewsTopic } from '../../../src/contract/identity/preferences.ts'

/** The column of each topic: a name of ours, never a client's. */
const COLUMN: Readonly<Record<NewsTopic, string>> = {
  salesNews: 'sales_news',
  features: 'features',
  tips: 'tips',
}

/** Users `u` with their preferences `p` who get a mail on a topic: investors who proved their address, want it, and are neither frozen nor gone. */
export function readersOf(topic: NewsTopic): SQL {
  return sql`u.role = 'investor' AND u.email_verified_at IS NOT NULL AND u.frozen_at IS NULL AND u.closed_at IS NULL
      AND coalesce(${sql.raw(`p.${COLUMN[topic]}`)}, 1) = 1`
}
