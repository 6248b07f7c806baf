import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const factorRecoveries = sqliteTable('factor_recoveries', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  codeHash: text('code_hash').notNull(),
  tries: integer('tries').notNull().default(0),
  askedAt: integer('asked_at').notNull(),
  expiresAt: integer('expires_at'),
  filedAt: integer('filed_at'),
  proposal: text('proposal').unique(),
  effectiveAt: integer('effective_at'),
  remindedAt: integer('reminded_at'),
  endedAt: integer('ended_at'),
  outcome: text('outcome', { enum: ['completed', 'stopped', 'rejected'] }),
})
