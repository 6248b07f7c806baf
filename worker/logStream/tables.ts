import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const failedSignIns = sqliteTable('failed_sign_ins', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  at: integer('at').notNull(),
  cause: text('cause').notNull(),
  account: text('account'),
  network: text('network').notNull(),
})

export const logStreams = sqliteTable('log_streams', {
  name: text('name').primaryKey(),
  sentToSeq: integer('sent_to_seq').notNull().default(0),
  nextAttemptAt: integer('next_attempt_at').notNull().default(0),
  failures: integer('failures').notNull().default(0),
  error: text('error'),
})
