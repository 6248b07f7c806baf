import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const newsletterSubscribers = sqliteTable('newsletter_subscribers', {
  id: text('id').primaryKey(),
  email: text('email').unique(),
  status: text('status', { enum: ['pending', 'confirmed', 'unsubscribed'] })
    .notNull()
    .default('pending'),
  requestedAt: integer('requested_at').notNull(),
  mailedAt: integer('mailed_at').notNull(),
  mails: integer('mails').notNull().default(1),
  confirmedAt: integer('confirmed_at'),
  unsubscribedAt: integer('unsubscribed_at'),
  expiresAt: integer('expires_at'),
})

export const newsletterTokens = sqliteTable('newsletter_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  subscriber: text('subscriber')
    .notNull()
    .references(() => newsletterSubscribers.id, { onDelete: 'cascade' }),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
