import { sql } from 'drizzle-orm'
import { SETTINGS } from '../../src/contract/operator/settingList.ts'

/** What an operator decides alone for one investor is added up over so long. */
export const ALONE_WINDOW_MS = 86_400_000

/** Above so many cents two operators are needed, in SQL: what the settings say, or else the default. */
export const TWO_PERSON_LIMIT = sql`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'),
  ${sql.raw(String(SETTINGS.twoPersonLimit.default))})`
