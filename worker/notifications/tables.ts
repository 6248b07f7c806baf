import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const notifications = sqliteTable('notifications', {
  userId: text('user_id').primaryKey(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  persistent: integer('persistent', { mode: 'boolean' }).notNull(),
  seen: integer('seen', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
})

export const notificationSends = sqliteTable('notification_sends', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  operator: text('operator').notNull(),
  at: integer('at').notNull(),
})
