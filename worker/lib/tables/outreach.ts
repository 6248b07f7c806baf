import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ANNOUNCEMENT_TOPICS } from '../../../src/contract/outreach/announcements.ts'
import { THREAD_STATUSES } from '../../../src/contract/outreach/threads.ts'

export const contactMessages = sqliteTable('contact_messages', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  name: text('name').notNull(),
  nameFolded: text('name_folded').notNull().default(''),
  email: text('email').notNull(),
  investor: text('investor'),
  message: text('message').notNull(),
  status: text('status', { enum: THREAD_STATUSES }).notNull().default('open'),
  createdAt: integer('created_at').notNull(),
  openedAt: integer('opened_at').notNull(),
  handledAt: integer('handled_at'),
  closedBy: text('closed_by'),
  closedAt: integer('closed_at'),
  askedBy: text('asked_by'),
})

export const threadEntries = sqliteTable(
  'thread_entries',
  {
    thread: text('thread').notNull(),
    place: integer('place').notNull(),
    id: text('id').notNull().unique(),
    operator: text('operator'),
    text: text('text').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.thread, table.place] })],
)

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

export const notifications = sqliteTable('notifications', {
  userId: text('user_id').primaryKey(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  persistent: integer('persistent', { mode: 'boolean' }).notNull(),
  seen: integer('seen', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
})

export const receivedNotifications = sqliteTable('received_notifications', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  userId: text('user_id').notNull(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  createdAt: integer('created_at').notNull(),
  seenAt: integer('seen_at'),
})

export const notificationSends = sqliteTable('notification_sends', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  operator: text('operator').notNull(),
  at: integer('at').notNull(),
})

export const announcements = sqliteTable('announcements', {
  proposal: text('proposal').primaryKey(),
  topic: text('topic', { enum: ANNOUNCEMENT_TOPICS }).notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  approvedAt: integer('approved_at').notNull(),
  lastSeq: integer('last_seq').notNull(),
  sentToSeq: integer('sent_to_seq').notNull().default(0),
  mails: integer('mails').notNull().default(0),
  finishedAt: integer('finished_at'),
})
