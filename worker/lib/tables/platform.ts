import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ActivityEvent } from '../../../src/contract/auditActions.ts'
import { ANNOUNCEMENT_TOPICS } from '../../../src/contract/outreach/announcements.ts'

export const rateCounters = sqliteTable('rate_counters', {
  key: text('key').primaryKey(),
  windowStart: integer('window_start').notNull(),
  used: integer('used').notNull(),
  failed: integer('failed').notNull().default(0),
})

export const idempotency = sqliteTable(
  'idempotency',
  {
    userId: text('user_id').notNull(),
    key: text('key').notNull(),
    state: text('state', { enum: ['running', 'done'] }).notNull(),
    claim: text('claim').notNull(),
    at: integer('at').notNull(),
    fingerprint: text('fingerprint'),
    status: integer('status'),
    body: text('body'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
)

export const outbox = sqliteTable('outbox', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  createdAt: integer('created_at').notNull(),
  nextAttemptAt: integer('next_attempt_at'),
  attempts: integer('attempts').notNull().default(0),
  deliveredAt: integer('delivered_at'),
  lastError: text('last_error'),
  list: text('list', { enum: ['newsletter', ...ANNOUNCEMENT_TOPICS] }),
  sealed: text('sealed'),
})

export const auditLog = sqliteTable('audit_log', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  at: integer('at').notNull(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  detail: text('detail').notNull().default('{}'),
})

export const auditUnsealed = sqliteTable('audit_unsealed', {
  seq: integer('seq').primaryKey(),
  id: text('id').notNull().unique(),
  at: integer('at').notNull(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  detail: text('detail').notNull(),
})

export const activity = sqliteTable('activity', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  userId: text('user_id').notNull(),
  at: integer('at').notNull(),
  event: text('event').$type<ActivityEvent>().notNull(),
  ip: text('ip'),
  userAgent: text('user_agent'),
})

export const auditBlocks = sqliteTable('audit_blocks', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  firstSeq: integer('first_seq').notNull().unique(),
  lastSeq: integer('last_seq').notNull().unique(),
  previousHash: text('previous_hash').notNull().unique(),
  hash: text('hash').notNull().unique(),
  sealedAt: integer('sealed_at').notNull(),
  entries: text('entries').notNull(),
})

export const witnessedHeads = sqliteTable('witnessed_heads', {
  day: text('day').primaryKey(),
  lastSeq: integer('last_seq').notNull(),
  hash: text('hash').notNull(),
  at: integer('at').notNull(),
})

export const selfChecks = sqliteTable('self_checks', {
  name: text('name').primaryKey(),
  checkpoint: text('checkpoint').notNull(),
  ok: integer('ok', { mode: 'boolean' }).notNull(),
  finding: text('finding'),
  at: integer('at').notNull(),
  told: text('told'),
  toldAt: integer('told_at'),
})

export const cronWork = sqliteTable('cron_work', {
  name: text('name').primaryKey(),
  at: integer('at').notNull(),
  longestMs: integer('longest_ms').notNull(),
  failedSince: integer('failed_since'),
  error: text('error'),
  running: text('running'),
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
