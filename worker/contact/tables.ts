import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const contactMessages = sqliteTable('contact_messages', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  message: text('message').notNull(),
  status: text('status', { enum: ['open', 'closed'] })
    .notNull()
    .default('open'),
  createdAt: integer('created_at').notNull(),
  closedBy: text('closed_by'),
  closedAt: integer('closed_at'),
})
