import { sql } from 'drizzle-orm'

/** What an operator decides alone for one investor is added up over so long. */
export const ALONE_WINDOW_MS = 86_400_000

/** Above so many cents two operators are needed, in SQL: 5,000 USD until the settings say otherwise. */
export const TWO_PERSON_LIMIT = sql`coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000)`
