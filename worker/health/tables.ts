import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const cronWork = sqliteTable('cron_work', {
  name: text('name').primaryKey(),
  at: integer('at').notNull(),
  longestMs: integer('longest_ms').notNull(),
  failedSince: integer('failed_since'),
  error: text('error'),
})

export const signInFailures = sqliteTable(
  'sign_in_failures',
  {
    hour: integer('hour').notNull(),
    cause: text('cause').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.cause] })],
)

export const countedBooks = sqliteTable('counted_books', {
  only: integer('only').primaryKey(),
  at: integer('at').notNull(),
  kinds: text('kinds').notNull(),
  custody: text('custody').notNull(),
})
