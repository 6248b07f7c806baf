import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ENTRY_CODES } from '../../../src/contract/console/treasuryActs.ts'

export const placeEntries = sqliteTable('place_entries', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  place: text('place').notNull(),
  quantity: integer('quantity').notNull(),
  balance: integer('balance').notNull(),
  code: text('code', { enum: ENTRY_CODES }).notNull(),
  ref: text('ref').notNull(),
  at: integer('at').notNull(),
})

export const reconciliations = sqliteTable(
  'reconciliations',
  {
    day: text('day').notNull(),
    place: text('place').notNull(),
    books: integer('books').notNull(),
    proven: integer('proven').notNull(),
    provenAt: integer('proven_at').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.day] })],
)

export const custodyDifferences = sqliteTable('custody_differences', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  place: text('place').notNull(),
  quantity: integer('quantity').notNull(),
  isNegative: integer('is_negative').$type<0 | 1>().notNull(),
  at: integer('at').notNull(),
  clearedBy: text('cleared_by'),
  clearedAt: integer('cleared_at'),
  reason: text('reason'),
})

export const ledgerDays = sqliteTable('ledger_days', {
  day: text('day').primaryKey(),
  at: integer('at').notNull(),
  transfer: integer('transfer').notNull(),
  kinds: text('kinds').notNull(),
})
