import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const emailChanges = sqliteTable('email_changes', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  sessionId: text('session_id').notNull(),
  oldEmail: text('old_email').notNull(),
  newEmail: text('new_email').notNull(),
  oldTokenHash: text('old_token_hash').notNull().unique(),
  newTokenHash: text('new_token_hash').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  oldConfirmedAt: integer('old_confirmed_at'),
  newConfirmedAt: integer('new_confirmed_at'),
  completedAt: integer('completed_at'),
  endedAt: integer('ended_at'),
})
