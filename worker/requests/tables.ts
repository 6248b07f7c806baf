import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const STATUSES = ['pending', 'approved', 'completed', 'rejected', 'cancelled', 'reversed'] as const

export const requests = sqliteTable('requests', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  investor: text('investor').notNull(),
  kind: text('kind', { enum: ['deposit', 'withdrawal', 'online-service-withdrawal'] }).notNull(),
  queue: text('queue', { enum: ['deposits', 'withdrawals'] }).notNull(),
  status: text('status', { enum: STATUSES }).notNull().default('pending'),
  amount: integer('amount').notNull(),
  asked: integer('asked').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const requestEvents = sqliteTable(
  'request_events',
  {
    request: text('request').notNull(),
    status: text('status', { enum: STATUSES }).notNull(),
    at: integer('at').notNull(),
    actor: text('actor').notNull(),
    investor: text('investor').notNull(),
    amount: integer('amount'),
    reference: text('reference'),
    referenceKey: text('reference_key'),
    secondOperator: text('second_operator'),
    note: text('note'),
    units: integer('units'),
    unitsAtRate: integer('units_at_rate'),
  },
  (table) => [primaryKey({ columns: [table.request, table.status] })],
)
