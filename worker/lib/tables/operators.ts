import { integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { WorkKind } from '../../../src/contract/console/work.ts'
import type { ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'

export const proposals = sqliteTable('proposals', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  kind: text('kind').$type<keyof typeof ROLES_OF_PROPOSALS>().notNull(),
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
  operator: text('operator'),
  ownCheck: text('own_check'),
})

export const operatorInvitations = sqliteTable('operator_invitations', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  proposal: text('proposal').unique(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  roles: text('roles').notNull(),
  createdAt: integer('created_at').notNull(),
  tokenHash: text('token_hash').unique(),
  expiresAt: integer('expires_at'),
  acceptedAt: integer('accepted_at'),
  operator: text('operator'),
})

export const monitoringTokens = sqliteTable('monitoring_tokens', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  name: text('name').notNull(),
  tokenHash: text('token_hash').notNull().unique(),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  revokedBy: text('revoked_by'),
  revokedAt: integer('revoked_at'),
})

export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  proposal: text('proposal'),
  updatedAt: integer('updated_at').notNull(),
})

export const withdrawnApprovals = sqliteTable('withdrawn_approvals', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  request: text('request').notNull(),
  operator: text('operator').notNull(),
  reference: text('reference').notNull(),
  referenceKey: text('reference_key').notNull(),
  amount: integer('amount').notNull(),
  quantity: text('quantity'),
  note: text('note'),
  approvedAt: integer('approved_at').notNull(),
  at: integer('at').notNull(),
})

export const creditApprovals = sqliteTable('credit_approvals', {
  request: text('request').primaryKey(),
  operator: text('operator').notNull(),
  reference: text('reference').notNull(),
  referenceKey: text('reference_key').notNull(),
  amount: integer('amount').notNull(),
  quantity: text('quantity'),
  units: integer('units'),
  note: text('note'),
  at: integer('at').notNull(),
})

/** Decided amounts by hour, written by triggers alone. `operator` is an id, or 'house' for all of them. */
export const decisionTotals = sqliteTable(
  'decision_totals',
  {
    queue: text('queue', { enum: ['deposits', 'withdrawals'] }).notNull(),
    operator: text('operator').notNull(),
    hour: integer('hour').notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [primaryKey({ columns: [table.queue, table.operator, table.hour] })],
)

export const investorNotes = sqliteTable('investor_notes', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  author: text('author').notNull(),
  at: integer('at').notNull(),
  text: text('text').notNull(),
  confidential: integer('confidential').notNull().default(0),
  kind: text('kind', { enum: ['note', 'decision', 'suspicion'] })
    .notNull()
    .default('note'),
})

export const silentFreezes = sqliteTable('silent_freezes', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  reason: text('reason').notNull(),
  begunBy: text('begun_by').notNull(),
  begunAt: integer('begun_at').notNull(),
  endedBy: text('ended_by'),
  endedAt: integer('ended_at'),
})

export const lockLiftings = sqliteTable(
  'lock_liftings',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    investor: text('investor').notNull(),
    lockedAt: integer('locked_at').notNull(),
    operator: text('operator').notNull(),
    step: integer('step').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [unique().on(table.investor, table.lockedAt, table.step)],
)

export const caseAssignments = sqliteTable('case_assignments', {
  caseId: text('case_id').primaryKey(),
  operator: text('operator').notNull(),
  at: integer('at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const caseHolds = sqliteTable(
  'case_holds',
  {
    caseId: text('case_id').notNull(),
    kind: text('kind').$type<WorkKind>().notNull(),
    at: integer('at').notNull(),
    endedAt: integer('ended_at'),
    investor: text('investor').notNull(),
    operator: text('operator').notNull(),
    thread: text('thread').notNull(),
  },
  (table) => [primaryKey({ columns: [table.caseId, table.kind, table.at] })],
)

export const overdueMails = sqliteTable(
  'overdue_mails',
  {
    kind: text('kind').notNull(),
    caseId: text('case_id').notNull(),
    since: integer('since').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.caseId, table.since] })],
)

export const handoverNotes = sqliteTable('handover_notes', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  author: text('author').notNull(),
  at: integer('at').notNull(),
  text: text('text').notNull(),
})

export const handoverReads = sqliteTable(
  'handover_reads',
  { note: text('note').notNull(), operator: text('operator').notNull(), at: integer('at').notNull() },
  (table) => [primaryKey({ columns: [table.note, table.operator] })],
)
