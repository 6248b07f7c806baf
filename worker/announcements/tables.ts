import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { NEWS_TOPICS } from '../../src/contract/preferences.ts'

export const announcements = sqliteTable('announcements', {
  proposal: text('proposal').primaryKey(),
  topic: text('topic', { enum: NEWS_TOPICS }).notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  approvedAt: integer('approved_at').notNull(),
  lastSeq: integer('last_seq').notNull(),
  sentToSeq: integer('sent_to_seq').notNull().default(0),
  mails: integer('mails').notNull().default(0),
  finishedAt: integer('finished_at'),
})
