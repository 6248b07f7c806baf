import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const proposals = sqliteTable('proposals', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  kind: text('kind', {
    enum: ['bonus', 'wallet', 'settings', 'reversal', 'reviewer_key', 'announcement'],
  }).notNull(),
  status: text('status', { enum: ['pending', 'approved', 'rejected'] })
    .notNull()
    .default('pending'),
  createdAt: integer('created_at').notNull(),
  proposedBy: text('proposed_by').notNull(),
  decidedBy: text('decided_by'),
  decidedAt: integer('decided_at'),
  reason: text('reason'),
  rejection: text('rejection'),
  investor: text('investor'),
  amount: integer('amount'),
  request: text('request'),
  payload: text('payload').notNull().default('{}'),
})

export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  proposal: text('proposal'),
  updatedAt: integer('updated_at').notNull(),
})

export const creditApprovals = sqliteTable('credit_approvals', {
  request: text('request').primaryKey(),
  operator: text('operator').notNull(),
  reference: text('reference').notNull(),
  referenceKey: text('reference_key').notNull(),
  amount: integer('amount').notNull(),
  quantity: text('quantity'),
  note: text('note'),
  at: integer('at').notNull(),
})
