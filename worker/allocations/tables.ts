import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const unitOrders = sqliteTable('unit_orders', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  investor: text('investor').notNull(),
  strategy: text('strategy').notNull(),
  kind: text('kind', { enum: ['allocate', 'redeem'] }).notNull(),
  cents: integer('cents'),
  status: text('status', { enum: ['pending', 'settled', 'cancelled'] })
    .notNull()
    .default('pending'),
  createdAt: integer('created_at').notNull(),
  decidedAt: integer('decided_at'),
  decidedBy: text('decided_by'),
  day: integer('day'),
  onward: text('onward'),
  onwardAt: integer('onward_at'),
  withdrawal: text('withdrawal'),
})
