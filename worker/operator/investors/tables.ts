import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const investorNotes = sqliteTable('investor_notes', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  author: text('author').notNull(),
  at: integer('at').notNull(),
  text: text('text').notNull(),
})
