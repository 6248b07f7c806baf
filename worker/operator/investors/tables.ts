import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'

export const investorNotes = sqliteTable('investor_notes', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  author: text('author').notNull(),
  at: integer('at').notNull(),
  text: text('text').notNull(),
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
